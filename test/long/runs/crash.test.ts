import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

interface Point {
  readonly point: number;
  readonly call: string;
  readonly wrong: readonly string[];
}

/** The points at which the process was ended, and what was wrong then; the last one is its own end. */
async function crashed(scenario: string): Promise<readonly Point[]> {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-crash-'));
  const child = spawn('/usr/bin/python3', ['test/support/server/crash.py', scenario, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONPATH: 'agent', PYTHONDONTWRITEBYTECODE: '1' },
  });
  const points: Point[] = [];
  for await (const line of createInterface({ input: child.stdout })) points.push(JSON.parse(line) as Point);
  rmSync(folder, { recursive: true, force: true });
  return points;
}

test.each([
  ['a run, from its lock to its end', 'run', 80],
  ['a run that is a step of an apply', 'step', 80],
  ['the begin of an apply', 'begin-apply', 15],
  ['the end of an apply', 'end-apply', 6],
  ['unlock', 'unlock', 3],
])(
  'killed before any write, rename or sync of %s, what lies there is as before or as after, and the next one may begin',
  async (_, scenario, least) => {
    const points = await crashed(scenario);
    expect(points.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(points.length).toBeGreaterThan(least);
    expect(points.at(-1)).toMatchObject({ call: '' });
    for (const call of ['rename', 'fsync'])
      expect(points.filter((point) => point.call.startsWith(call)).length).toBeGreaterThan(0);
  },
  900_000,
);
