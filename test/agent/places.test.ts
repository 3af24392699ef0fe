import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localTransport } from '../../tasks/runtime/local-transport.ts';
import { Server } from '../../tasks/runtime/server.ts';
import { runs, runStatus } from '../../tasks/steps/run/runs.ts';

let directory: string;
let server: Server;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'playsmith-places-'));
  server = new Server(localTransport(), directory, () => Promise.reject(new Error('once is enough')));
});

afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

test('a folder that somebody else put among the runs is no run, and stands in nobody’s way', async () => {
  await mkdir(join(directory, 'runs/c/old'), { recursive: true });
  expect(await runs(server, { cluster: 'c' })).toEqual({
    ok: true,
    value: { runs: [], unreadable: [], locks: {} },
  });
  expect(await runStatus(server, { cluster: 'c', run: '' })).toMatchObject({
    ok: false,
    failure: { kind: 'run', message: 'No run of c is known on the Ansible server' },
  });
});

const others = (path: string) => ({
  ok: false,
  failure: { kind: 'server', message: `Others than our user may write ${path} on the Ansible server` },
});

test.each(['0777', '0775', '0770', '0702', '1777'])(
  'a directory of mode %s is refused: what was verified there could be changed',
  async (mode) => {
    await chmod(directory, Number.parseInt(mode, 8));
    expect(await runs(server, { cluster: 'c' })).toMatchObject(others(directory));
  },
);

test.each(['bundles', 'runs', 'kept', 'locks', 'venv'])(
  'so is one whose folder %s others may write',
  async (name) => {
    await mkdir(join(directory, name));
    await chmod(join(directory, name), 0o770);
    expect(await runs(server, { cluster: 'c' })).toMatchObject(others(join(directory, name)));
  },
);

test('so is one below a folder that others may write, also over a link, but for one where only owners rename', async () => {
  const place = join(directory, 'shared', 'between', 'own');
  await mkdir(place, { recursive: true, mode: 0o700 });
  const asked = async (folder: string) => {
    const there = new Server(localTransport(), folder, () => Promise.reject(new Error('once is enough')));
    try {
      return await runs(there, { cluster: 'c' });
    } finally {
      await there.close();
    }
  };
  await chmod(join(directory, 'shared'), 0o775);
  expect(await asked(place)).toMatchObject(others(join(directory, 'shared')));
  await symlink(place, join(directory, 'link'));
  expect(await asked(join(directory, 'link'))).toMatchObject(others(join(directory, 'shared')));
  await chmod(join(directory, 'shared'), 0o1777);
  expect(await asked(place)).toMatchObject({ ok: true });
});

test.each([
  { cluster: '../c', run: '' },
  { cluster: 'c', run: '../../x' },
  { cluster: 'c', run: '20260101T000000Z-..-0a1b/..' },
  { cluster: 'c\n', run: '' },
])('%j is refused before any path is made of it', async (request) => {
  expect(await runStatus(server, request)).toMatchObject({ ok: false, failure: { kind: 'run' } });
});
