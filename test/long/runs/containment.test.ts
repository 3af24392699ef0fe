import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Server } from '../../../tasks/runtime/server.ts';
import { cancel, unlock } from '../../../tasks/steps/run/lock.ts';
import { runs } from '../../../tasks/steps/run/runs.ts';
import { begin, failure, overSsh, serverFolder, value, watch } from '../../support/server/ansible-server.ts';
import { playbookBundle } from '../../support/definitions/bundles.ts';
import { descendants, isAlive } from '../../support/processes.ts';
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
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const trail = (): string => join(directory, 'trail');
const written = (): number => (existsSync(trail()) ? statSync(trail()).size : 0);

/** A command that writes on and on, deaf to every signal that can be ignored. */
const stubborn = (): string => `trap "" INT TERM HUP; while :; do echo x >> ${trail()}; sleep 0.05; done`;

/** How a command leaves the process group, the session and the parents that it was started in. */
const ways = {
  'as Ansible starts it': (command: string): string => `sh -c '${command}'`,
  'in a session of its own, with parents that are gone': (command: string): string =>
    `setsid --fork sh -c '${command}'; sleep 60`,
  'with an environment of its own, and with parents that are gone': (command: string): string =>
    `env -i PATH=$PATH setsid --fork sh -c '${command}'; sleep 60`,
};

const writing = (command: string): ReturnType<typeof playbookBundle> =>
  playbookBundle(`---
- name: Write
  hosts: all
  gather_facts: false
  tasks:
    - name: Write on and on
      ansible.builtin.shell: ${JSON.stringify(command)}
      changed_when: true
`);

/** The run, once its command writes, and its supervisor. */
async function started(command: string): Promise<{ readonly run: string; readonly supervisor: number }> {
  const { run } = value(await begin(server, writing(command)));
  await expect.poll(written, { timeout: 20_000 }).toBeGreaterThan(0);
  const record = readFileSync(join(directory, 'runs', 'try', run, 'record.json'), 'utf8');
  const { process: supervisor } = JSON.parse(record) as { process: { pid: number } };
  return { run, supervisor: supervisor.pid };
}

/** Nothing is written any more from now on. */
async function expectSilence(): Promise<void> {
  const before = written();
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(written()).toBe(before);
}

const lockOf = async (): Promise<unknown> =>
  value(await runs(server, { cluster: 'try' })).locks['try'] ?? null;

describe.each(Object.entries(ways))('a command that writes on and on, started %s,', (_, way) => {
  test('writes nothing more once cancel has answered, and nothing while the lock is free', async () => {
    const { run } = await started(way(stubborn()));
    const answer = value(await cancel(server, { cluster: 'try', run, who: 'Ada' }));
    await expectSilence();
    expect(answer).toMatchObject({ status: 'canceled', unstopped: [] });
    expect(await lockOf()).toBeNull();
  });

  test('holds the lock when ansible-playbook is killed, and ends before the lock is free', async () => {
    const { run, supervisor } = await started(way(stubborn()));
    const [playbook] = descendants(supervisor);
    process.kill(playbook ?? 0, 'SIGKILL');
    expect(value((await watch(server, run)).followed)).toMatchObject({ status: 'error' });
    await expectSilence();
    expect(await lockOf()).toBeNull();
  });

  test('holds the lock when the supervisor is killed: no unlock is accepted before it has ended', async () => {
    const { run, supervisor } = await started(way(stubborn()));
    process.kill(supervisor, 'SIGKILL');
    await expect
      .poll(async () => (await unlock(server, { cluster: 'try', force: false })).ok, { timeout: 20_000 })
      .toBe(true);
    await expectSilence();
    expect(value((await watch(server, run)).followed)).toMatchObject({ status: 'lost' });
  });

  test('ends with SIGTERM for the supervisor, as at a reboot', async () => {
    const { run, supervisor } = await started(way(stubborn()));
    process.kill(supervisor, 'SIGTERM');
    expect(value((await watch(server, run)).followed)).toMatchObject({ status: 'canceled' });
    await expectSilence();
    expect(await lockOf()).toBeNull();
  });
});

describe('when the supervisor and its keeper are killed at once', () => {
  test('what they leave behind holds the lock, and cancel ends it', async () => {
    const { run, supervisor } = await started(
      ways['in a session of its own, with parents that are gone'](stubborn()),
    );
    process.kill(parentOf(supervisor), 'SIGKILL');
    process.kill(supervisor, 'SIGKILL');
    await expect.poll(() => isAlive(supervisor)).toBe(false);
    expect(failure(await unlock(server, { cluster: 'try', force: false })).kind).toBe('locked');
    expect(value(await cancel(server, { cluster: 'try', run, who: 'Ada' }))).toMatchObject({
      status: 'lost',
      unstopped: [],
    });
    await expectSilence();
    expect(value(await unlock(server, { cluster: 'try', force: false }))).toMatchObject({ removed: true });
  });

  test('--force ends it before it frees the lock', async () => {
    const { supervisor } = await started(
      ways['in a session of its own, with parents that are gone'](stubborn()),
    );
    process.kill(parentOf(supervisor), 'SIGKILL');
    process.kill(supervisor, 'SIGKILL');
    expect(value(await unlock(server, { cluster: 'try', force: true }))).toMatchObject({ removed: true });
    await expectSilence();
  });
});

const parentOf = (pid: number): number =>
  Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
