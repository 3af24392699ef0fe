import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Server } from '../../../tasks/runtime/server.ts';
import { cancel, unlock } from '../../../tasks/steps/run/lock.ts';
import { runs } from '../../../tasks/steps/run/runs.ts';
import { begin, overSsh, serverFolder, value, watch } from '../../support/server/ansible-server.ts';
import { overSshd, shell, uniqueCluster } from '../../support/server/fenced-hosts.ts';
import { descendants } from '../../support/processes.ts';
import { startSshd, type Sshd } from '../../support/server/sshd.ts';

let sshd: Sshd;
let directory: string;
let server: Server;
let cluster: string;

beforeAll(async () => {
  sshd = await startSshd();
});
afterAll(() => {
  sshd.close();
});
beforeEach(async () => {
  directory = serverFolder();
  cluster = uniqueCluster();
  server = await overSsh(sshd, directory);
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
  for (const suffix of ['', '.lock']) rmSync(`/run/playsmith-fence/${cluster}${suffix}`, { force: true });
});

const trail = (): string => join(directory, 'trail');
const lines = (): readonly string[] =>
  existsSync(trail()) ? readFileSync(trail(), 'utf8').trim().split('\n') : [];

/** A command on the host that writes on and on, deaf to every signal that can be ignored, and without its connection's pipes. */
const stubborn = (word: string): string =>
  `trap "" INT TERM HUP PIPE; exec > /dev/null 2>&1 < /dev/null; while :; do echo ${word} >> ${trail()}; sleep 0.02; done`;

/** The run and its supervisor, once its command writes. */
async function started(word: string): Promise<{ readonly run: string; readonly supervisor: number }> {
  const { run } = value(await begin(server, overSshd(sshd, cluster, shell(stubborn(word)))));
  await expect.poll(() => lines().includes(word), { timeout: 30_000 }).toBe(true);
  const record = readFileSync(join(directory, 'runs', cluster, run, 'record.json'), 'utf8');
  return { run, supervisor: (JSON.parse(record) as { process: { pid: number } }).process.pid };
}

/** How many processes write that word: none of them can be paused and write later. */
const writers = (word: string): readonly string[] => {
  const listed = execFileSync('ps', ['-e', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return listed.filter((line) => line.includes(`echo ${word} >> ${trail()}`));
};

test('what a cancelled run began on a host has ended there when cancel answers', async () => {
  const { run } = await started('first');
  expect(value(await cancel(server, { cluster, run, who: 'Ada' }))).toMatchObject({
    status: 'canceled',
    unstopped: [],
  });
  expect(writers('first')).toEqual([]);
});

test('what a run began on a host ends when ansible-playbook is killed, before the lock is free', async () => {
  const { run, supervisor } = await started('first');
  process.kill(descendants(supervisor)[0] ?? 0, 'SIGKILL');
  expect(value((await watch(server, run, { cluster })).followed)).toMatchObject({ status: 'error' });
  expect(writers('first')).toEqual([]);
  expect(value(await runs(server, { cluster })).locks).toEqual({});
});

test('what a run began on a host ends when its supervisor is killed, before the lock can be had', async () => {
  const { supervisor } = await started('first');
  process.kill(supervisor, 'SIGKILL');
  await expect
    .poll(async () => (await unlock(server, { cluster, force: false })).ok, { timeout: 60_000 })
    .toBe(true);
  expect(writers('first')).toEqual([]);
});

test('where nothing of a run is left to end it, the next one does, before its own first command', async () => {
  const { supervisor } = await started('first');
  for (const pid of [parentOf(supervisor), supervisor]) process.kill(pid, 'SIGKILL');
  value(await unlock(server, { cluster, force: true }));
  expect(writers('first')).not.toEqual([]);
  const next = value(await begin(server, overSshd(sshd, cluster, shell(`echo second >> ${trail()}`))));
  expect(value((await watch(server, next.run, { cluster })).followed)).toMatchObject({
    status: 'successful',
  });
  expect(lines().at(-1)).toBe('second');
  expect(writers('first')).toEqual([]);
});

test('a command of an older run is refused on a host where a newer one has begun, and says so', async () => {
  const { run } = value(
    await begin(
      server,
      overSshd(
        sshd,
        cluster,
        shell(`echo 9999999999 0 > /run/playsmith-fence/${cluster}`) + shell(`echo late >> ${trail()}`),
      ),
    ),
  );
  const { followed } = await watch(server, run, { cluster });
  const ended = value(followed);
  expect(ended.status).toMatch(/failed|unreachable/);
  expect(JSON.stringify(ended)).toContain(`A newer run of ${cluster} has begun on this host`);
  expect(lines()).toEqual([]);
});

test('cancel names the hosts that it could not ask', async () => {
  const elsewhere = await startSshd();
  const { run } = value(await begin(server, overSshd(elsewhere, cluster, shell(stubborn('first')))));
  await expect.poll(() => lines().includes('first'), { timeout: 30_000 }).toBe(true);
  elsewhere.close();
  const answer = value(await cancel(server, { cluster, run, who: 'Ada' }));
  expect(answer.unstopped).toEqual(['on 127.0.0.1, which does not answer: the next run ends it there']);
  for (const line of writers('first')) process.kill(Number(line.trim().split(' ')[0]), 'SIGKILL');
});

const parentOf = (pid: number): number =>
  Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
