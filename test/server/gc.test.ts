import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Answers } from '../../tasks/runtime/agent/messages.ts';
import type { Server } from '../../tasks/runtime/server.ts';
import { cancel } from '../../tasks/steps/run/lock.ts';
import { oldCopies } from '../../tasks/steps/run/gc.ts';
import { push } from '../../tasks/steps/bundle/push.ts';
import { runs } from '../../tasks/steps/run/runs.ts';
import {
  begin,
  failure,
  locally,
  meta,
  serverFolder,
  smallDisk,
  value,
} from '../support/server/ansible-server.ts';
import { playbookBundle } from '../support/definitions/bundles.ts';

let directory: string;
let server: Server;

beforeEach(async () => {
  directory = serverFolder();
  server = await locally(directory);
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const longAgo = new Date('2020-01-01T00:00:00Z');
const aged = (path: string): void => {
  utimesSync(path, longAgo, longAgo);
};
const folder = (...parts: readonly string[]): string => {
  const path = join(directory, ...parts);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
};
const digest = (letter: string): string => letter.repeat(64);
const bundle = (letter: string): void => {
  aged(folder('bundles', 'try', digest(letter)));
};

/** A run of that day of January 2020, or of another year. */
function ran(day: number, letter: string, year = 2020): string {
  const stamp = `${year}01${String(day).padStart(2, '0')}`;
  const run = `${stamp}T000000Z-site-000a`;
  const record = {
    ...{ run, cluster: 'try', playbook: 'site.yml', digest: digest(letter), options: {}, meta },
    ...{ started: 'then', ended: 'then', seconds: 1, status: 'successful', recap: {} },
  };
  const place = folder('runs', 'try', run);
  writeFileSync(join(place, 'record.json'), JSON.stringify(record));
  writeFileSync(join(place, 'events.ndjson.gz'), 'x'.repeat(100));
  return run;
}

const collect = async (request: { runs: number; days: number; check?: boolean }): Promise<Answers['gc']> =>
  value(await server.agent().ask('gc', { cluster: 'try', who: 'Ada', check: false, ...request }));
const there = (what: 'runs' | 'bundles'): readonly string[] =>
  readdirSync(join(directory, what, 'try')).sort();

// Whatever takes the lock first keeps a reserve.
test.each([true, false])('gc makes room on a disk that has none', async (kept) => {
  const disk = smallDisk(1024);
  const elsewhere = [server, directory] as const;
  directory = disk.folder;
  server = await locally(directory);
  try {
    if (kept) await collect({ runs: 1, days: 1 });
    const [old, latest] = [ran(1, 'a'), ran(2, 'b')];
    for (let size = 2 ** 20; size > 0; size = Math.floor(size / 2))
      try {
        writeFileSync(join(directory, `filler-${size}`), Buffer.alloc(size));
      } catch {
        // So much is not left.
      }
    expect(await collect({ runs: 1, days: 1 })).toMatchObject({ runs: [old], logs: [] });
    expect(value(await runs(server, { cluster: 'try' })).locks).toEqual({});
    expect(there('runs')).toEqual([latest]);
  } finally {
    await server.close();
    disk.unmount();
    [server, directory] = elsewhere;
  }
});

describe('gc', () => {
  test('removes runs that are neither of the latest nor young, and the bundles that only these name', async () => {
    const old = [ran(1, 'a'), ran(2, 'a'), ran(3, 'b')];
    const kept = [ran(4, 'b'), ran(1, 'c', new Date().getFullYear() + 1)];
    for (const letter of ['a', 'b', 'c', 'e']) bundle(letter);
    const found = await collect({ runs: 2, days: 30 });
    expect(found).toMatchObject({ runs: old, bundles: [digest('a'), digest('e')] });
    expect(found.bytes).toBeGreaterThan(300);
    expect(there('runs')).toEqual(kept);
    expect(there('bundles')).toEqual([digest('b'), digest('c')]);
    expect(value(await runs(server, { cluster: 'try' })).locks).toEqual({});
  });

  test('with --check says the same and removes nothing', async () => {
    const all = [ran(1, 'a'), ran(2, 'b')];
    for (const letter of ['a', 'b']) bundle(letter);
    expect(await collect({ runs: 1, days: 0, check: true })).toMatchObject({
      runs: [all[0]],
      bundles: [digest('a')],
    });
    expect(there('runs')).toEqual(all);
    expect(there('bundles')).toEqual([digest('a'), digest('b')]);
    expect(existsSync(join(directory, 'locks'))).toBe(false);
  });

  test('keeps each run that is younger than so many days, however many there are', async () => {
    ran(1, 'a');
    ran(2, 'a');
    expect(await collect({ runs: 1, days: 36500 })).toMatchObject({ runs: [] });
  });

  test.each(['applied.json', 'journal.json'])('keeps the runs and bundles that %s names', async (file) => {
    const [old] = [ran(1, 'a'), ran(2, 'b')];
    for (const letter of ['a', 'b', 'e']) bundle(letter);
    writeFileSync(
      join(folder('kept', 'try'), file),
      JSON.stringify({ facts: [], steps: [], of: [{ run: old, bundle: digest('e') }] }),
    );
    expect(await collect({ runs: 1, days: 0 })).toMatchObject({ runs: [], bundles: [] });
  });

  test('takes away what killed processes left, and old logs, but not what is young or not ours', async () => {
    ran(1, 'a');
    const left = [
      folder('bundles', 'try', '.x.unpacking'),
      folder('locks', '.try.abc.released'),
      join(folder('kept', 'try'), 'applied.json.12.partial'),
      folder('runs', 'try', '20200101T000000Z-site-0bad'),
      join('/dev/shm', 'playsmith-00000000deadbeef'),
    ];
    const logs = folder('kept', 'try', 'kubespray', 'logs');
    for (const name of ['20200101T000000Z-cluster.log', '20200102T000000Z-cluster.log', 'notes.txt'])
      writeFileSync(join(logs, name), 'x');
    mkdirSync(left[4] ?? '', { recursive: true });
    writeFileSync(left[2] ?? '', '{');
    for (const path of left) aged(path);
    const spared = [folder('bundles', 'try', '.y.unpacking'), folder('locks', '.other.abc.released')];
    const found = await collect({ runs: 1, days: 1 });
    expect(found.leftovers).toEqual(expect.arrayContaining([left[0], left[1], left[2], left[4]]));
    expect(found.logs).toEqual([join(logs, '20200101T000000Z-cluster.log')]);
    expect(left.filter((path) => existsSync(path))).toEqual([]);
    expect(spared.filter((path) => !existsSync(path))).toEqual([]);
    expect(readdirSync(logs).sort()).toEqual(['20200102T000000Z-cluster.log', 'notes.txt']);
  });

  test('waits for nobody: while a run goes on it removes nothing, and --check spares that run', async () => {
    ran(1, 'a');
    const waiting = playbookBundle(
      JSON.stringify([
        {
          name: 'Wait',
          hosts: 'all',
          gather_facts: false,
          tasks: [
            { name: 'Wait', 'ansible.builtin.wait_for': { path: join(directory, 'gate'), timeout: 60 } },
          ],
        },
      ]),
    );
    value(await push(server, waiting));
    const { run } = value(await begin(server, waiting));
    aged(join(directory, 'bundles', 'try', waiting.digest));
    const asked = { cluster: 'try', who: 'Ada', runs: 1, days: 0 };
    expect(failure(await server.agent().ask('gc', { ...asked, check: false }))).toMatchObject({
      kind: 'locked',
    });
    const found = await collect({ runs: 1, days: 0, check: true });
    expect(found.runs).not.toContain(run);
    expect(found.bundles).not.toContain(waiting.digest);
    value(await cancel(server, { cluster: 'try', run, who: 'Ada' }));
  });
});

test('copies of records here are kept by the same rule', async () => {
  const parent = folder('copies');
  const names = ['20200101T000000Z-site-000a', '20200102T000000Z-site-000b', '20200103T000000Z-site-000c'];
  for (const name of [...names, 'mine']) mkdirSync(join(parent, name));
  const asked = { runs: 1, days: 1, now: Date.parse('2020-01-03T12:00:00Z') };
  expect(await oldCopies(parent, { ...asked, check: true })).toMatchObject({ value: names.slice(0, 2) });
  expect(await oldCopies(parent, { ...asked, check: false })).toMatchObject({ value: names.slice(0, 2) });
  expect(readdirSync(parent).sort()).toEqual([names[2], 'mine']);
});
