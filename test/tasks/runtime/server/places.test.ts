import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localTransport } from '../../../../tasks/runtime/local-transport.ts';
import { Server } from '../../../../tasks/runtime/server.ts';
import { runs, runStatus } from '../../../../tasks/steps/runs.ts';

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
  expect(await runs(server, { cluster: 'c' })).toEqual({ ok: true, value: { runs: [], locks: {} } });
  expect(await runStatus(server, { cluster: 'c', run: '' })).toMatchObject({
    ok: false,
    failure: { kind: 'run', message: 'No run of c is known on the Ansible server' },
  });
});

test('a directory that everybody may write is refused: what was verified there could be changed', async () => {
  await chmod(directory, 0o777);
  expect(await runs(server, { cluster: 'c' })).toMatchObject({
    ok: false,
    failure: { kind: 'server', message: `Others than our user may write ${directory} on the Ansible server` },
  });
});

test.each([
  { cluster: '../c', run: '' },
  { cluster: 'c', run: '../../x' },
  { cluster: 'c', run: '20260101T000000Z-..-0a1b/..' },
  { cluster: 'c\n', run: '' },
])('%j is refused before any path is made of it', async (request) => {
  expect(await runStatus(server, request)).toMatchObject({ ok: false, failure: { kind: 'run' } });
});
