import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cluster } from '../../../support/definitions/clusters.ts';
import { compareVersions, examineServer } from '../../../../tasks/steps/server/examine.ts';
import { connect } from '../../../../tasks/steps/server/connect.ts';

test.each([
  ['2.14.18', '2.14', 0],
  ['2.9.27', '2.14', -1],
  ['2.19.0', '2.14', 1],
  ['3', '2.14', 1],
  ['2.14.0rc1', '2.14.0', 0],
])('%s against %s', (one, other, order) => {
  expect(Math.sign(compareVersions(one, other))).toBe(order);
});

const seenIn = async (directory: string): Promise<Readonly<Record<string, string>>> => {
  const server = await connect({
    ...{ kind: 'local', directory, retention: { runs: 1, days: 1 }, ansible: { kind: 'packages' } },
  });
  if (!server.ok) throw new Error('no local server');
  const findings = await examineServer(server.value, cluster());
  await server.value.close();
  if (!findings.ok) throw new Error('not examined');
  return Object.fromEntries(findings.value.map(({ what, state, seen }) => [what, `${state}: ${seen}`]));
};

test('a directory that others may write is no place for runs, nor for the Python that looks', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'playsmith-examined-'));
  mkdirSync(join(directory, 'venv/bin'), { recursive: true, mode: 0o755 });
  writeFileSync(join(directory, 'venv/bin/python'), '#!/bin/sh\necho 99.9\n', { mode: 0o755 });
  expect(await seenIn(directory)).toMatchObject({ Python: 'fit: 99.9', directory: `fit: ${directory}` });
  for (const path of [directory, join(directory, 'venv'), join(directory, 'venv/bin')]) {
    chmodSync(path, 0o770);
    const { Python, directory: place } = await seenIn(directory);
    chmodSync(path, 0o700);
    expect(Python).not.toContain('99.9');
    expect(place).toBe(`unfit: others than its user may write ${path}`);
  }
  rmSync(directory, { recursive: true });
});

test('what lies in the home of the server’s user, or in its PYTHONPATH, is not taken for what a run finds', async () => {
  const home = mkdtempSync(join(tmpdir(), 'playsmith-home-'));
  const before = process.env['PYTHONPATH'];
  for (const name of ['platform', 'ansible_runner', 'importlib'])
    writeFileSync(join(home, `${name}.py`), 'raise SystemExit(9)\n');
  const plain = await seenIn('/nowhere/at/all');
  process.env['PYTHONPATH'] = home;
  try {
    expect((await seenIn('/nowhere/at/all'))['Python']).toBe(plain['Python']);
  } finally {
    if (before === undefined) delete process.env['PYTHONPATH'];
    else process.env['PYTHONPATH'] = before;
    rmSync(home, { recursive: true });
  }
});

test('a server is examined with a shell alone, and every finding says what was seen', async () => {
  const server = await connect({
    kind: 'local',
    directory: '/nowhere/at/all',
    retention: { runs: 1, days: 1 },
    ansible: { kind: 'packages' },
  });
  if (!server.ok) throw new Error('no local server');
  const findings = await examineServer(server.value, cluster());
  await server.value.close();
  if (!findings.ok) throw new Error('not examined');
  expect(findings.value.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      'system',
      'Python',
      'ansible-core',
      'ansible-runner',
      'directory',
      'free space',
      'clock',
    ]),
  );
  for (const { seen, state, remedy } of findings.value) {
    expect(seen).not.toBe('');
    expect(remedy === '').toBe(state === 'fit');
  }
});
