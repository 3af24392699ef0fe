import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../../tasks/runtime/events.ts';
import type { Server } from '../../../tasks/runtime/server.ts';
import { cancel } from '../../../tasks/steps/run/lock.ts';
import { fetchRecord, localLog } from '../../../tasks/steps/run/record.ts';
import { runs, runStatus } from '../../../tasks/steps/run/runs.ts';
import { start } from '../../../tasks/steps/run/start.ts';
import {
  begin,
  failure,
  locally,
  meta,
  runIt,
  serverFolder,
  value,
  watch,
} from '../../support/server/ansible-server.ts';
import { playbookBundle } from '../../support/definitions/bundles.ts';

let directory: string;
let server: Server;
let scratch: readonly string[];

const scratchFolders = (): readonly string[] =>
  readdirSync('/dev/shm').filter((name) => name.startsWith('playsmith-'));

beforeEach(async () => {
  scratch = scratchFolders();
  directory = serverFolder();
  server = await locally(directory);
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs of other tests come and go meanwhile: of those that are there now none stays. */
async function expectNoneLeft(): Promise<void> {
  const now = scratchFolders().filter((name) => !scratch.includes(name));
  const left = (): readonly string[] => scratchFolders().filter((name) => now.includes(name));
  await expect.poll(left, { timeout: 90_000, interval: 500 }).toEqual([]);
}

/** The first task comes later on a machine that is busy. */
const patient = { timeout: 30_000 };

const gate = (): string => join(directory, 'gate');

const playing = (...tasks: readonly object[]): ReturnType<typeof playbookBundle> =>
  playbookBundle(JSON.stringify([{ name: 'Try', hosts: 'all', gather_facts: false, tasks }]));
const waiting = (path = gate()): ReturnType<typeof playbookBundle> =>
  playing({ name: 'Wait', 'ansible.builtin.wait_for': { path, timeout: 60 } });
/** Once the task waits, nothing more has to be written for it. */
const waits = async (run: string): Promise<void> => {
  const events = (): string => readFileSync(join(directory, 'runs', 'try', run, 'events.ndjson'), 'utf8');
  await expect.poll(events, patient).toContain('"Wait"');
};

/** A last task that says very much. */
const loud = (bytes: number): ReturnType<typeof playbookBundle> =>
  playing({
    name: 'Say very much',
    'ansible.builtin.command': { argv: ['python3', '-c', `print('x' * ${bytes}); raise SystemExit(1)`] },
    ignore_errors: true,
    changed_when: false,
  });

describe('a run whose last output is big', () => {
  test.each([2_000_000, 30_000_000])(
    'of %d bytes, with twenty secrets, has the end that it had, and its events are cut where they say so',
    async (bytes) => {
      const secrets = Object.fromEntries(
        Array.from({ length: 20 }, (_, at) => [`vault_${at}`, `the secret of number ${at}, which is long`]),
      );
      const { followed, run } = await runIt(server, loud(bytes), { secrets });
      expect(value(followed)).toMatchObject({
        status: 'successful',
        recap: { one: { failed: 0, ignored: 1 } },
      });
      const folder = mkdtempSync(join(tmpdir(), 'playsmith-kept-'));
      value(await fetchRecord(server, { cluster: 'try', run, folder }));
      const log = (await localLog(folder, 'try', run)) ?? '';
      rmSync(folder, { recursive: true });
      expect(log.length).toBeLessThan(1_100_000);
      expect(log).toMatch(/… \d+ more bytes/);
    },
  );
});

test('a run that could not begin leaves nothing behind: no folder in memory, no folder of a run, no lock', async () => {
  const bundle = playing({ name: 'Say', 'ansible.builtin.debug': { msg: 'a' } });
  value((await runIt(server, bundle)).followed);
  // In the place of what is kept of the cluster, so that the last thing before the first task fails.
  mkdirSync(join(directory, 'kept', 'try', 'applied.json'), { recursive: true });
  const snapshot = { of: 'nothing' } as never;
  const life = {
    base: {} as never,
    expected: '',
    snapshot,
    fact: { operation: 'site', targets: [], effect: {} as never },
  };
  const known = readdirSync(join(directory, 'runs', 'try'));
  const asked = { bundle, playbook: 'site.yml', options: {}, secrets: new Map<string, never>(), meta, life };
  expect(failure(await start(server, asked))).toMatchObject({ kind: 'server' });
  expect(readdirSync(join(directory, 'runs', 'try'))).toEqual(known);
  expect(existsSync(join(directory, 'locks', 'try'))).toBe(false);
  await expectNoneLeft();
});

describe('after the clock was set back', () => {
  const future = '20990101T000000Z-site-0a1b';

  /** What a run leaves that began when the clock was wrong. */
  const plant = (): void => {
    const folder = join(directory, 'runs', 'try', future);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const record = {
      ...{ run: future, cluster: 'try', playbook: 'site.yml', digest: 'd'.repeat(64), options: {}, meta },
      ...{
        started: '2099-01-01T00:00:00.000Z',
        ended: '2099-01-01T00:00:01.000Z',
        seconds: 1,
        status: 'successful',
      },
      recap: {},
    };
    writeFileSync(join(folder, 'record.json'), JSON.stringify(record));
  };

  test('a run begins behind the latest one, and is the latest itself', async () => {
    plant();
    const { run, followed } = await runIt(
      server,
      playing({ name: 'Say', 'ansible.builtin.debug': { msg: 'a' } }),
    );
    expect(value(followed).status).toBe('successful');
    expect(run > future).toBe(true);
    expect(value(await runStatus(server, { cluster: 'try', run: '' })).run).toBe(run);
    expect(value(await runs(server, { cluster: 'try' })).runs.at(-1)?.run).toBe(run);
  });

  test('the run that goes on is the one that is attached to and cancelled when none is named', async () => {
    const { run } = value(await begin(server, waiting()));
    plant();
    expect(value(await runStatus(server, { cluster: 'try', run: '' })).run).toBe(run);
    expect(value(await cancel(server, { cluster: 'try', run: '', who: 'Ada' }))).toMatchObject({
      run,
      status: 'canceled',
    });
  });
});

describe('a directory that becomes read-only while a run goes on', () => {
  const mount = (...words: readonly string[]): void => {
    execFileSync('mount', words);
  };
  const readOnly = (): void => {
    mount('--bind', directory, directory);
    mount('-o', 'remount,bind,ro', directory);
  };
  const undo = (): void => {
    execFileSync('umount', ['-l', directory]);
  };

  test('is told as such by whoever follows, lists or begins a run, and the end is written once it can be', async () => {
    const outside = `${directory}.gate`;
    const { run } = value(await begin(server, waiting(outside)));
    const folder = join(directory, 'runs', 'try', run);
    await waits(run);
    readOnly();
    writeFileSync(outside, '');
    const there = await locally(directory);
    try {
      const told: Event[] = [];
      const seen = await watch(there, run, { report: (event) => void told.push(event) });
      expect(failure(seen.followed)).toMatchObject({
        kind: 'server',
        message: expect.stringMatching(/^\S+ came to its end, .*: the file system is read-only$/) as string,
        next: `Mount it writable, then \`npx task attach ${run}\`; until then \`npx task logs ${run}\` shows what it did`,
      });
      expect(told.some(({ type }) => type === 'run-finished')).toBe(false);
      await expect
        .poll(() => readFileSync(join(folder, 'supervisor.log'), 'utf8'), patient)
        .toContain('not written yet');
      expect(value(await runs(there, { cluster: 'try' })).runs).toMatchObject([{ run, status: 'running' }]);
      const refused = {
        kind: 'server',
        message: expect.stringMatching(
          /^The Ansible server cannot write .*: the file system is read-only$/,
        ) as string,
        evidence: expect.not.stringContaining('Traceback') as string,
      };
      expect(failure(await begin(there, waiting(outside)))).toMatchObject(refused);
      expect(failure(await cancel(there, { cluster: 'try', run: '', who: 'Ada' }))).toMatchObject(refused);
    } finally {
      await there.close();
      undo();
      rmSync(outside);
    }
    expect(value((await watch(server, run)).followed)).toMatchObject({ status: 'successful' });
    expect(value(await runs(server, { cluster: 'try' })).locks).toEqual({});
    expect(readdirSync(folder)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(env|reserve)$/)]),
    );
    await expectNoneLeft();
  });
});

test('a run that was killed tells how long it is known to have lived', async () => {
  const { run } = value(await begin(server, waiting()));
  const folder = join(directory, 'runs', 'try', run);
  await waits(run);
  const { process: supervisor } = JSON.parse(readFileSync(join(folder, 'record.json'), 'utf8')) as {
    process: { pid: number };
  };
  process.kill(supervisor.pid, 'SIGKILL');
  const { followed } = await watch(server, run);
  expect(value(followed)).toMatchObject({ status: 'lost' });
  expect((value(followed) as { seconds: number }).seconds).toBeGreaterThan(0);
});
