import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localTransport } from '../../../../tasks/runtime/local-transport.ts';
import { Server } from '../../../../tasks/runtime/server.ts';
import { fetchRecord } from '../../../../tasks/steps/run/record.ts';
import { recordOf } from '../../../support/definitions/reports.ts';

let root: string;
let server: Server;
const run = '20260101T000000Z-site-0a1b';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'playsmith-record-'));
  server = new Server(localTransport(), join(root, 'server'), () =>
    Promise.reject(new Error('once is enough')),
  );
});

afterEach(async () => {
  await server.close();
  await rm(root, { recursive: true });
});

async function kept(record: object): Promise<void> {
  const folder = join(root, 'server/runs/c', run);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'record.json'), JSON.stringify(record));
  await writeFile(join(folder, 'events.ndjson'), '');
}

const fetched = () => fetchRecord(server, { cluster: 'c', run: '', folder: join(root, 'here') });

describe('a record', () => {
  test('is copied into a folder of its own', async () => {
    await kept(recordOf({ hosts: 1, tasks: 1 }, { run, cluster: 'c' }));
    expect(await fetched()).toMatchObject({ ok: true, value: { path: join(root, 'here/runs/c', run) } });
  });

  test('whose events have no end is not kept', async () => {
    await kept(recordOf({ hosts: 1, tasks: 1 }, { run, cluster: 'c' }));
    const events = Array.from({ length: 5000 }, () => `{"counter":${Math.random()}}\n`).join('');
    await writeFile(join(root, 'server/runs/c', run, 'events.ndjson'), events);
    const request = { cluster: 'c', run: '', folder: join(root, 'here') };
    const refused = await fetchRecord(server, request, 10_000);
    expect(refused).toMatchObject({ ok: false, failure: { kind: 'server' } });
    expect(!refused.ok && refused.failure.message).toContain('says more than anybody asked for');
    expect(await readdir(join(root, 'here/runs/c'))).toEqual([]);
    expect((await fetchRecord(server, request)).ok).toBe(true);
  });

  test('that nobody asked for replaces nothing here', async () => {
    const other = '20260101T000001Z-site-0a1b';
    await mkdir(join(root, 'here/runs/c', other), { recursive: true });
    await writeFile(join(root, 'here/runs/c', other, 'precious'), 'mine');
    await kept(recordOf({ hosts: 1, tasks: 1 }, { run: other, cluster: 'c' }));
    const asked = await fetchRecord(server, { cluster: 'c', run, folder: join(root, 'here') });
    expect(asked).toMatchObject({
      ok: false,
      failure: { kind: 'server', message: expect.stringContaining(`answers about ${other}`) as unknown },
    });
    expect(await readFile(join(root, 'here/runs/c', other, 'precious'), 'utf8')).toBe('mine');
    expect(await readdir(join(root, 'here/runs/c'))).toEqual([other]);
  });

  test('whose server calls it by a path removes and writes nothing here', async () => {
    await mkdir(join(root, 'victim'));
    await writeFile(join(root, 'victim/precious'), 'mine');
    await kept(recordOf({ hosts: 1, tasks: 1 }, { run: '../../../victim', cluster: 'c' }));
    expect(await fetched()).toMatchObject({ ok: false, failure: { kind: 'server' } });
    expect(await readFile(join(root, 'victim/precious'), 'utf8')).toBe('mine');
  });
});
