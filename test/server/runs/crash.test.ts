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

/** Of the two scenarios with many points only some, from a random one on: `npm run test:all` ends the process at each. */
const every = process.env['PLAYSMITH_CRASH_POINTS'] === 'all' ? 1 : 6;

/** The points at which the process was ended, and what was wrong then; the last one is its own end. */
async function crashed(scenario: string, apart: number): Promise<readonly Point[]> {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-crash-'));
  const child = spawn('/usr/bin/python3', ['test/support/server/crash.py', scenario, folder, String(apart)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONPATH: 'agent', PYTHONDONTWRITEBYTECODE: '1' },
  });
  const points: Point[] = [];
  for await (const line of createInterface({ input: child.stdout })) points.push(JSON.parse(line) as Point);
  rmSync(folder, { recursive: true, force: true });
  return points;
}

test.each([
  ['a run, from its lock to its end', 'run', 80, every],
  ['a run that is a step of an apply', 'step', 80, every],
  ['the begin of an apply', 'begin-apply', 15, 1],
  ['the end of an apply', 'end-apply', 6, 1],
  ['unlock', 'unlock', 3, 1],
])(
  'killed before any write, rename or sync of %s, what lies there is as before or as after, and the next one may begin',
  async (_, scenario, least, apart) => {
    const points = await crashed(scenario, apart);
    expect(points.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(points.length).toBeGreaterThan(least / apart);
    expect(points.at(-1)).toMatchObject({ call: '' });
    for (const call of apart === 1 ? ['rename', 'fsync'] : [])
      expect(points.filter((point) => point.call.startsWith(call)).length).toBeGreaterThan(0);
  },
  900_000,
);
