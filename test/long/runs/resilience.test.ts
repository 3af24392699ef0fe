import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunEnding } from '../../../tasks/runtime/agent/run-records.ts';
import type { Event } from '../../../tasks/runtime/events.ts';
import type { Server } from '../../../tasks/runtime/server.ts';
import { cancel, unlock } from '../../../tasks/steps/run/lock.ts';
import { fetchRecord } from '../../../tasks/steps/run/record.ts';
import { runs } from '../../../tasks/steps/run/runs.ts';
import { verdict } from '../../../tasks/steps/run/verdict.ts';
import {
  begin,
  failure,
  locally,
  overSsh,
  serverFolder,
  smallDisk,
  sshServer,
  value,
  watch,
  type Seen,
} from '../../support/server/ansible-server.ts';
import { playbookBundle } from '../../support/definitions/bundles.ts';
import { compiled } from '../../support/compiled.ts';
import { startSshd, type Sshd } from '../../support/server/sshd.ts';

let sshd: Sshd;
let directory: string;
let server: Server;

beforeAll(async () => {
  sshd = await startSshd();
});
afterAll(() => {
  sshd.close();
});
beforeEach(async () => {
  directory = serverFolder();
  server = await overSsh(sshd, directory);
});
afterEach(async () => {
  const left = await runs(server, { cluster: 'try' });
  for (const { run, status } of left.ok ? left.value.runs : [])
    if (status === 'running') await cancel(server, { cluster: 'try', run, who: 'the test' });
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const ending = ({ followed }: Seen): RunEnding => value(followed) as RunEnding;
const counters = (events: readonly Event[]): number[] =>
  events.flatMap((event) => ('counter' in event ? [event.counter] : []));

/** Ten tasks that each wait until the test lets the next one go on. */
const gate = (): string => join(directory, 'gate');
const letGo = (): void => {
  writeFileSync(gate(), '');
};
const gated = (count = 4): ReturnType<typeof playbookBundle> =>
  playbookBundle(`---
- name: Wait at the gate
  hosts: all
  gather_facts: false
  tasks:
${Array.from({ length: count }, (_, index) => `    - name: Before ${index + 1}\n      ansible.builtin.debug: { msg: b }\n`).join('')}
    - name: Wait
      ansible.builtin.wait_for:
        path: ${gate()}
        sleep: 1
    - name: After
      ansible.builtin.debug: { msg: a }
`);

/** Follows until a task of that name begins, then goes on in the background. */
function until(
  task: string,
  follow: (report: (event: Event) => void) => Promise<Seen['followed']>,
): Promise<{
  readonly events: Event[];
  readonly followed: Promise<Seen['followed']>;
}> {
  const events: Event[] = [];
  return new Promise((resolve) => {
    const followed: Promise<Seen['followed']> = follow((event) => {
      events.push(event);
      if (event.type === 'task-started' && event.name === task) resolve({ events, followed });
    });
  });
}

describe('a run that is followed', () => {
  test('goes on at the exact event when the connection is cut', async () => {
    const { run } = value(await begin(server, gated()));
    const { events, followed } = await until(
      'Wait',
      async (report) => (await watch(server, run, { report })).followed,
    );
    await sshd.dropConnections();
    letGo();
    expect(value(await followed).status).toBe('successful');
    expect(events.some((event) => event.type === 'warning' && event.text.includes('connecting again'))).toBe(
      true,
    );
    expect(counters(events)).toEqual(counters((await watch(server, run)).events));
  });

  test('goes on when the client is killed, and can be taken up again at any event', async () => {
    const folder = compiled();
    const { run } = value(await begin(server, gated()));
    const settings = JSON.stringify({ server: sshServer(sshd, directory), around: sshd.around });
    const client = spawn(
      process.execPath,
      [join(folder, 'test/support/server/follow-client.js'), settings, run],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const seen: Event[] = [];
    for await (const line of createInterface({ input: client.stdout })) {
      seen.push(JSON.parse(line) as Event);
      if (line.includes('"Wait"')) break;
    }
    client.kill('SIGKILL');
    letGo();
    const rest = await watch(server, run, { from: (counters(seen).at(-1) ?? 0) + 1 });
    expect(ending(rest).status).toBe('successful');
    expect([...counters(seen), ...counters(rest.events)]).toEqual(
      counters((await watch(server, run)).events),
    );
    rmSync(folder, { recursive: true, force: true });
  });

  test('can be left, and goes on', async () => {
    const { run } = value(await begin(server, gated()));
    const leaving = new AbortController();
    const { followed } = await until(
      'Wait',
      async (report) => (await watch(server, run, { report, signal: leaving.signal })).followed,
    );
    leaving.abort();
    expect(value(await followed)).toMatchObject({ status: 'left', run });
    expect(value(await runs(server, { cluster: 'try' })).runs.at(-1)).toMatchObject({
      run,
      status: 'running',
    });
    letGo();
    expect(ending(await watch(server, run)).status).toBe('successful');
  });

  test('ends when it is cancelled, and says so', async () => {
    const { run } = value(await begin(server, gated()));
    const { followed } = await until(
      'Wait',
      async (report) => (await watch(server, run, { report })).followed,
    );
    const cancelled = value(await cancel(server, { cluster: 'try', run, who: 'Ada' }));
    expect(cancelled).toMatchObject({ run, status: 'canceled' });
    expect(failure(verdict(value(await followed) as RunEnding)).kind).toBe('cancelled');
    expect(value(await runs(server, { cluster: 'try' })).locks).toEqual({});
    expect(failure(await cancel(server, { cluster: 'try', run, who: 'Ada' })).kind).toBe('run');
  });
});

describe('the lock', () => {
  test('lets one of two runs at once begin, and says who holds it, since when and for what', async () => {
    const bundle = gated();
    const other = await locally(directory);
    const begun = await Promise.all([begin(server, bundle), begin(other, bundle)]);
    const [lucky, refused] = begun[0].ok ? begun : [begun[1], begun[0]];
    const told = failure(refused);
    expect(told).toMatchObject({
      kind: 'locked',
      message: expect.stringMatching(
        /^try is locked by Ada <ada@example.org>, ada@laptop since 20\d\d-.*Z, for site.yml \(run .*\)$/,
      ) as string,
    });
    const { run } = value(lucky);
    expect(told).toMatchObject({ next: expect.stringContaining(run) as string });
    expect(failure(await unlock(server, { cluster: 'try', force: false })).kind).toBe('locked');
    letGo();
    expect(ending(await watch(server, run)).status).toBe('successful');
    expect(value(await runs(server, { cluster: 'try' })).locks).toEqual({});
    await other.close();
  });

  test('of a run whose process was killed is stale: explained, and removed only when somebody asks', async () => {
    const bundle = gated();
    const { run } = value(await begin(server, bundle, { secrets: { vault_a: 'canary-value' } }));
    const { followed } = await until(
      'Wait',
      async (report) => (await watch(server, run, { report })).followed,
    );
    const folder = join(directory, 'runs', 'try', run);
    const { process: supervisor } = JSON.parse(readFileSync(join(folder, 'record.json'), 'utf8')) as {
      process: { pid: number };
    };
    const children = childrenOf(supervisor.pid);
    expect(children.length).toBeGreaterThan(0);
    process.kill(supervisor.pid, 'SIGKILL');
    const lost = value(await followed) as RunEnding;
    expect(lost.status).toBe('lost');
    expect(failure(verdict(lost))).toMatchObject({
      kind: 'run',
      message: expect.stringContaining('lost') as string,
    });
    expect(failure(await begin(server, bundle))).toMatchObject({
      kind: 'locked',
      message: expect.stringMatching(
        /^The lock of try is stale: Ada .*its process \d+ ended without releasing it/,
      ) as string,
      next: expect.stringContaining('npx task unlock') as string,
    });
    expect(readdirSync(folder).sort()).toEqual(['events.ndjson', 'record.json', 'supervisor.log']);
    await expect.poll(() => children.filter((pid) => isAlive(pid)), { timeout: 10_000 }).toEqual([]);
    expect(value(await unlock(server, { cluster: 'try', force: false }))).toMatchObject({
      removed: true,
      holder: { run },
    });
    letGo();
    const again = value(await begin(server, bundle));
    expect(ending(await watch(server, again.run)).status).toBe('successful');
  });
});

test('a disk that fills up while a run goes on loses no run: it ends, its record is kept and says what is missing', async () => {
  const disk = smallDisk(1500);
  const small = await locally(disk.folder);
  const { run } = value(await begin(small, gated(2)));
  const { followed } = await until('Wait', async (report) => (await watch(small, run, { report })).followed);
  try {
    writeFileSync(join(disk.folder, 'filler'), Buffer.alloc(4_000_000));
  } catch {
    // that it does not fit is the point
  }
  letGo();
  const ended = value(await followed) as RunEnding;
  expect(ended).toMatchObject({ status: 'successful', recap: { one: { failed: 0 } } });
  expect(existsSync(join(disk.folder, 'locks', 'try'))).toBe(false);
  expect(ended.eventsLost).toBeGreaterThan(0);
  const folder = join(directory, '.playsmith');
  const { record } = value(await fetchRecord(small, { cluster: 'try', run, folder }));
  expect(record.eventsLost).toBe(ended.eventsLost);
  await small.close();
  disk.unmount();
});

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

function isAlive(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
  return stat !== '' && !/\) [ZX] /.test(stat);
}
