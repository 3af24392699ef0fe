import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describe as described, down, type Lab } from '../../lab/index.ts';
import { definitionOf, must, on, raiseLab } from '../support/hosts/lab.ts';
import { changes, project, type Ended, type Project } from '../support/project.ts';

const name = 'timers';
const secret = '/etc/playsmith-secrets/vault_ssh_become_password';
let lab: Lab;
let own: Project;

const defined = (...jobs: readonly string[]): string =>
  `${definitionOf(lab)}\nschedule:\n  secretsFolder: /etc/playsmith-secrets\n  jobs: [${jobs.join(', ')}]\n`;
const drift = "{ job: drift, onCalendar: '*-*-* *:*:00' }";
const onServer = (script: string): Promise<string> => on(lab, 'ansible', 'sh', '-c', script);
const systemctl = (words: string): Promise<string> =>
  onServer(`su ops -c 'XDG_RUNTIME_DIR=/run/user/'$(id -u ops)' systemctl --user ${words}' 2>&1; true`);

beforeAll(async () => {
  lab = await raiseLab(name, { controlPlanes: 1, client: false });
  own = await project(defined(drift));
  await own.done('render');
  // As whoever runs the server would put it there.
  const password = Buffer.from(readFileSync(described(lab).passwordPath)).toString('base64');
  await onServer(
    `install -d -o ops -m 0700 /etc/playsmith-secrets && echo ${password} | base64 -d >${secret} && chown ops ${secret} && chmod 0600 ${secret}`,
  );
});

afterAll(async () => {
  await own.remove();
  must(await down(name));
});

test('without a systemd of its own the user is told how to have one, and nothing is installed', async () => {
  const refused = await own.task('schedule', 'install');
  expect(refused.status).toBe(20);
  expect(refused.said.replaceAll(/\s+/g, ' ')).toContain('as root call loginctl enable-linger ops');
});

test('a real timer of that systemd starts runs, which are in the list, can be followed, and change nothing', async () => {
  // Hosts of the lab lack libpam-systemd, so what lingering starts is started by hand.
  await onServer(
    'install -d -o ops -m 0700 /run/user/$(id -u ops) && systemd-run --uid=ops --unit=user-ops --property=Delegate=yes ' +
      '--setenv=HOME=/home/ops --setenv=XDG_RUNTIME_DIR=/run/user/$(id -u ops) /lib/systemd/systemd --user && sleep 2',
  );
  await own.done('run');
  await own.done('schedule', 'install');
  expect(await systemctl('list-timers --all')).toContain('playsmith-timers.drift.timer');
  const seen = async (): Promise<readonly string[]> =>
    (await own.done('runs', '--json')).stdout.split('\n').filter((line) => line.includes('the schedule of'));
  await expect.poll(seen, { timeout: 300_000, interval: 5000 }).not.toEqual([]);
  await expect
    .poll(async () => (await own.done('schedule')).stdout, { timeout: 300_000, interval: 5000 })
    .toMatch(/^drift +\S.* on +.*20\S+Z successful +\d{8}T/m);
  const [line = ''] = await seen();
  const run = JSON.parse(line) as { readonly run: string };
  expect((await own.done('attach', run.run)).said).toContain('successful');
});

/** Once no job holds the cluster. */
async function installed(...words: readonly string[]): Promise<Ended> {
  for (let tries = 0; tries < 20; tries += 1) {
    const ended = await own.task('schedule', 'install', ...words);
    if (ended.status !== 15) return ended;
  }
  throw new Error('the cluster is held all the time');
}

test('a second installation changes nothing, a job that is gone goes, and removal leaves no unit', async () => {
  const again = await installed('--json');
  expect(changes(again)).toEqual({});
  await own.define(defined('{ job: drift, onCalendar: yearly }'));
  await own.done('render');
  await installed();
  await expect
    .poll(async () => (await own.done('schedule')).stdout, { timeout: 60_000 })
    .toMatch(/^drift +yearly +on +20\d\d-01-01T/m);
  await own.done('schedule', 'remove');
  expect(await systemctl('list-unit-files')).not.toContain('playsmith-timers');
  expect(await onServer('ls ~ops/playsmith/schedules 2>&1; true')).not.toContain('timers');
  expect((await own.task('schedule')).stderr).toContain('nothing is installed');
}, 300_000);

test('terminating a cluster takes its jobs away, and does not mind when there are none', async () => {
  await installed();
  const terminate = (): Promise<string> =>
    onServer(
      'cd "$(ls -d ~ops/playsmith/bundles/timers/*/ | tail -n 1)" && ' +
        "su ops -c 'ansible-playbook schedule.yml --extra-vars schedule_operation=terminate' 2>&1",
    );
  expect(await terminate()).toMatch(/changed=[1-9].* failed=0/);
  expect(await systemctl('list-unit-files')).not.toContain('playsmith-timers');
  expect(await onServer('ls ~ops/playsmith/schedules 2>&1; true')).not.toContain('timers');
  expect(await terminate()).toMatch(/changed=0.* failed=0/);
}, 300_000);
