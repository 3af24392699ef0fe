import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localTransport } from '../../tasks/runtime/local-transport.ts';
import { Server } from '../../tasks/runtime/server.ts';
import { recordOf } from '../support/definitions/reports.ts';

let root: string;
let server: Server;
const damaged = '20260102T000000Z-site-0a1b';
const others = ['20260101T000000Z-site-0a1a', '20260103T000000Z-site-0a1c'];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'playsmith-records-'));
  server = new Server(localTransport(), root, () => Promise.reject(new Error('once is enough')));
  for (const run of others) await keep(run, whole(run));
});
afterAll(async () => {
  await server.close();
  await rm(root, { recursive: true });
});

const whole = (run: string): Readonly<Record<string, unknown>> => ({
  ...recordOf({ hosts: 2, tasks: 3 }, { run, cluster: 'c' }),
  ...{ scratch: '/dev/shm/playsmith-0', token: 't', fence: 7, unstopped: [], failures: [], outline: [] },
  ...{
    tasks: [],
    loaded: {},
    results: { a: 1 },
    eventsLost: 0,
    exitStatus: 0,
    login: null,
    changedWhileRunning: [],
  },
});

async function keep(run: string, record: object): Promise<void> {
  const folder = join(root, 'runs/c', run);
  await mkdir(join(folder, 'env'), { recursive: true });
  await writeFile(join(folder, 'record.json'), JSON.stringify(record));
}

const of = { cluster: 'c', run: damaged };

describe.each(Object.keys(whole('x')))('a record whose %s is of another type', (key) => {
  test.each([7.5, [{}], { a: [1] }])('is told as one that cannot be read: %j', async (value) => {
    const good = whole(damaged);
    if (
      typeof value === typeof good[key] &&
      Array.isArray(value) === Array.isArray(good[key]) &&
      typeof value !== 'object'
    )
      return;
    await keep(damaged, { ...good, [key]: value });
    const told = await server.agent().ask('list', { cluster: 'c', limit: 5 });
    if (!told.ok) throw new Error(JSON.stringify(told.failure));
    expect(told.value.runs.map(({ run }) => run).filter((run) => run !== damaged)).toEqual(others);
    const isListed = told.value.runs.some(({ run }) => run === damaged);
    expect(told.value.unreadable).toEqual(isListed ? [] : [join(root, 'runs/c', damaged)]);
    const answers = [
      await server.agent().ask('record', of, () => undefined),
      await server.agent().ask('log', of, () => undefined),
      await server.agent().ask('status', of),
      await server.agent().ask('follow', { ...of, from: 0 }, () => undefined),
      await server.agent().ask('cancel', { ...of, who: 'Ada' }),
    ];
    for (const answer of answers) if (!answer.ok) expect(['run', 'server']).toContain(answer.failure.kind);
    expect(
      await server.agent().ask('gc', { cluster: 'c', who: 'Ada', runs: 1, days: 36_500, check: true }),
    ).toMatchObject({ ok: true });
  });
});
