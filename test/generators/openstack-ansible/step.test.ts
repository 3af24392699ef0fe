import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runModule } from '../../support/module.ts';
import { folderWith } from './python.ts';

const states = { start: 'started', look: 'ended', done: 'done', again: 'forgotten' };

/** The module on a machine of its own. */
const stepOn =
  (root: string, more: Readonly<Record<string, string>> = {}) =>
  ({ action, ...given }: { readonly action: keyof typeof states } & Readonly<Record<string, unknown>>) => {
    const folders = ['/var/lib/playsmith', '/var/log/playsmith'];
    const replaced = Object.fromEntries(folders.map((folder) => [folder, `${root}${folder}`]));
    return runModule('osa_step', { state: states[action], ...given }, { replaced: { ...replaced, ...more } })
      .result;
  };

type Asked = Parameters<ReturnType<typeof stepOn>>[0];

/** A list of shell commands as steps, on a machine of its own. */
function list(...scripts: readonly string[]) {
  const root = folderWith();
  const step = stepOn(root);
  const steps = scripts.map((script, at) => ({
    name: `s${String.fromCharCode(97 + at)}`,
    argv: ['sh', '-c', script],
  }));
  const ask = (more: Asked) =>
    step({ cluster: 'cloud-a', playbook: 'p', digest: 'd', checkout: root, steps, first: '', ...more });
  const end = (at: number) => {
    let seen = ask({ action: 'look', at });
    while (seen['state'] === 'running') seen = ask({ action: 'look', at });
    return seen;
  };
  return {
    root,
    ask,
    end,
    start: (at: number, more: object = {}) => ask({ action: 'start', at, ...more })['state'],
  };
}

test('a step is started once, and is done afterwards', () => {
  const { start, end, root } = list('echo once >> log');
  expect(start(0)).toBe('started');
  expect(end(0)).toMatchObject({ state: 'ended', rc: 0 });
  expect(start(0)).toBe('done');
  expect(readFileSync(join(root, 'log'), 'utf8')).toBe('once\n');
});

test('one that runs is found again by whoever asks', () => {
  const { start, end, root } = list('while [ ! -e go ]; do sleep 0.1; done; touch gone');
  expect(start(0)).toBe('started');
  expect(start(0)).toBe('running');
  expect(existsSync(join(root, 'gone'))).toBe(false);
  writeFileSync(join(root, 'go'), '');
  expect(end(0)).toMatchObject({ rc: 0 });
});

test('one that failed is started again, and what came after an earlier run as well', () => {
  const { start, end, root } = list('[ -e good ]', 'echo b >> log');
  start(0);
  expect(end(0)).toMatchObject({ rc: 1 });
  writeFileSync(join(root, 'good'), '');
  expect(start(0)).toBe('started');
  end(0);
  expect(start(1)).toBe('started');
  end(1);
  expect([start(0), start(1)]).toEqual(['done', 'done']);
});

test('other files or another command are another step', () => {
  const { start, end } = list('true', 'true');
  start(0);
  end(0);
  start(1);
  end(1);
  expect(start(0, { digest: 'other' })).toBe('started');
  end(0);
  expect(start(1)).toBe('started');
});

test('what cannot be begun is told, and the end of an earlier run is not taken for its own', () => {
  const root = folderWith();
  const steps = [{ name: 'sa', argv: ['true'] }];
  const given = { cluster: 'cloud-a', playbook: 'p', checkout: root, steps, first: '', at: 0 };
  const step = stepOn(root);
  step({ ...given, action: 'start', digest: 'd' });
  while (step({ ...given, action: 'look', digest: 'd' })['state'] === 'running');
  const readOnly = { 'forget(self.path(at, "end"))': 'raise OSError(30, "Read-only file system", "/var")' };
  const begun = stepOn(root, readOnly)({ ...given, action: 'start', digest: 'other' });
  expect(begun).toMatchObject({
    failed: true,
    msg: 'sa could not be begun: /var: Read-only file system. Mend that on the deploy host, and run the playbook again to go on here',
  });
});

test('from a step on, all is done again', () => {
  const { ask, start, end } = list('true', 'true', 'true');
  for (const at of [0, 1, 2]) {
    start(at);
    end(at);
  }
  expect(ask({ action: 'again', first: 'sb' })).toMatchObject({ changed: true, done: ['sb', 'sc'] });
  expect([start(0), start(1)]).toEqual(['done', 'started']);
  expect(ask({ action: 'again', first: 'sx' }).msg).toBe('p has no step sx; it has sa, sb, sc');
});

test('one that is wanted in every run is started again once somebody was told how it ended', () => {
  const { root, ask } = list();
  const steps = [{ name: 'test', argv: ['sh', '-c', 'echo once >> log'], always: true }];
  const asked = (more: Asked) => ask({ steps, at: 0, ...more });
  expect(asked({ action: 'start' })['state']).toBe('started');
  // The run was cut off here: the next one hears how it ended.
  while (JSON.stringify(asked({ action: 'done' }).done) !== '["test"]');
  expect(asked({ action: 'start' })['state']).toBe('done');
  expect(asked({ action: 'look' })).toMatchObject({ state: 'ended', rc: 0 });
  expect(asked({ action: 'done' }).done).toEqual([]);
  expect(asked({ action: 'start' })['state']).toBe('started');
  expect(asked({ action: 'look' })).toMatchObject({ state: 'ended', rc: 0 });
  expect(readFileSync(join(root, 'log'), 'utf8')).toBe('once\nonce\n');
});

test('what was done is told, up to the first step that was not', () => {
  const { ask, start, end } = list('true', 'false', 'true');
  expect(ask({ action: 'done' }).done).toEqual([]);
  for (const at of [0, 1, 2]) {
    start(at);
    end(at);
  }
  expect(ask({ action: 'done' }).done).toEqual(['sa']);
});

test('of the surroundings a step gets the proxies of the deploy host alone', () => {
  process.env['https_proxy'] = 'http://proxy.example.org:3128';
  process.env['PLAYSMITH_TEST_OTHER'] = 'x';
  const { root, start, end } = list('env > seen');
  start(0);
  end(0);
  const seen = readFileSync(join(root, 'seen'), 'utf8');
  delete process.env['https_proxy'];
  delete process.env['PLAYSMITH_TEST_OTHER'];
  expect(seen).toContain('https_proxy=http://proxy.example.org:3128');
  expect(seen).toContain('HOME=/root');
  expect(seen).not.toContain('PLAYSMITH_TEST_OTHER');
});

const failing = [
  'PLAY [Install magnum] ***',
  '',
  'TASK [os_magnum : Ignored] ****',
  'failed: [infra1] (item=1) => {"msg": "never mind"}',
  'failed: [infra1] (item=2) => {"msg": "never mind"}',
  '...ignoring',
  '',
  'TASK [os_magnum : Install] ****',
  'fatal: [infra2]: FAILED! => {"msg": "No space left on device"}',
  '',
  'PLAY RECAP ****',
  'infra1                     : ok=5    changed=1    unreachable=0    failed=0',
  'infra2                     : ok=4    changed=1    unreachable=0    failed=1',
  '',
  'EXIT NOTICE [Playbook execution failure] ****',
].join('\n');

test('the log of Ansible is told: who failed in which task, the recap and the last word', () => {
  const { start, end } = list(`cat <<'LOG'\n${failing}\nLOG\nexit 2`);
  start(0);
  expect(end(0)).toMatchObject({
    rc: 2,
    task: 'os_magnum : Install',
    failures: ['TASK [os_magnum : Install]: fatal: [infra2]: No space left on device'],
    recap: [
      'infra1 : ok=5 changed=1 unreachable=0 failed=0',
      'infra2 : ok=4 changed=1 unreachable=0 failed=1',
    ],
    notice: 'Playbook execution failure',
  });
});

/** As OpenStack-Ansible 31.3.0 wrote it on hosts of the lab, and ansible-core 2.19 by its own callback. */
const inYaml = [
  'TASK [lxc_hosts : Build the base image using a CLI tool] ***********************',
  'FAILED - RETRYING: [infra1]: Build the base image using a CLI tool (1 retries left).',
  'fatal: [infra1]: FAILED! => ',
  '    attempts: 5',
  '    cmd:',
  '    - debootstrap',
  '    - bookworm',
  '    msg: non-zero return code',
  '    rc: 1',
  "    stderr: ''",
  '    stderr_lines: <omitted>',
  '    stdout: |-',
  '        I: Retrieving InRelease',
  '',
  '        I: Checking component main on http://10.77.2.1/debian...',
  "        E: Couldn't find these debs: usr-is-merged",
  '    stdout_lines: <omitted>',
  '',
  'TASK [vexxhost.containers.download_artifact : Starting download of file] *******',
  'ok: [infra1-k8s-container-e5ed9e0c] => ',
  '    msg: http://mirror.example.org/runc.amd64',
  '',
  'TASK [vexxhost.containers.download_artifact : Download item] *******************',
  '[ERROR]: Task failed: Module failed.',
  'fatal: [infra1-k8s-container-e5ed9e0c -> infra1(172.29.236.11)]: FAILED! => ',
  '    attempts: 4',
  "    censored: 'the output has been hidden due to the fact that ''no_log: true'' was specified",
  "        for this result'",
  '    changed: false',
  '',
  'RUNNING HANDLER [lxc_hosts : Drop base config file(s)] *************************',
  "failed: [infra1] (item={'src': 'a => b'}) => ",
  '    ansible_loop_var: item',
  '    item:',
  '        src: systemd-overrides.conf.j2',
  '    msg: Destination directory /etc/systemd/system.conf.d does not exist',
].join('\n');

test('a result in YAML is read as well: what it says, and how its command ended', () => {
  const { start, end } = list(`cat <<'LOG'\n${inYaml}\nLOG\nexit 2`);
  start(0);
  expect(end(0)['failures']).toEqual([
    "TASK [lxc_hosts : Build the base image using a CLI tool]: fatal: [infra1]: non-zero return code: E: Couldn't find these debs: usr-is-merged",
    "TASK [vexxhost.containers.download_artifact : Download item]: fatal: [infra1-k8s-container-e5ed9e0c -> infra1(172.29.236.11)]: the output has been hidden due to the fact that 'no_log: true' was specified for this result: http://mirror.example.org/runc.amd64",
    "TASK [lxc_hosts : Drop base config file(s)]: failed: [infra1] (item={'src': 'a => b'}): Destination directory /etc/systemd/system.conf.d does not exist",
  ]);
});

const rescued = [
  'TASK [Look for the old name] ****',
  'failed: [infra1] (item=one) => {"msg": "no such name"}',
  'failed: [infra2] (item=one) => {"msg": "no such name"}',
  'failed: [infra1] (item=two) => {"msg": "no such name"}',
  'TASK [Use the new name] ****',
  'ok: [infra1]',
  'TASK [Begin] ****',
  'fatal: [infra1 -> deploy(127.0.0.1)]: FAILED! => {"msg": "no space left"}',
  'PLAY RECAP ****',
  'infra1                     : ok=2    changed=0    unreachable=0    failed=1    skipped=0    rescued=1    ignored=0   ',
  'infra2                     : ok=2    changed=0    unreachable=0    failed=0    skipped=0    rescued=1    ignored=0   ',
].join('\n');

test('of failures those alone are told that no task rescued, whatever items they had', () => {
  const { start, end } = list(`cat <<'LOG'\n${rescued}\nLOG\nexit 2`);
  start(0);
  expect(end(0)['failures']).toEqual(['TASK [Begin]: fatal: [infra1 -> deploy(127.0.0.1)]: no space left']);
});

test('a host that is away is told, although its task ignores errors of others', () => {
  const log = [
    'TASK [Ask the service] ****',
    'fatal: [infra1]: FAILED! => {"msg": "no such service"}',
    '...ignoring',
    'fatal: [infra2]: UNREACHABLE! => {"changed": false, "msg": "Connection timed out", "unreachable": true}',
  ].join('\n');
  const { start, end } = list(`cat <<'LOG'\n${log}\nLOG\nexit 4`);
  start(0);
  expect(end(0)['failures']).toEqual(['TASK [Ask the service]: fatal: [infra2]: Connection timed out']);
});

test('a failure of the whole playbook is told, and a long one by how it begins and ends', () => {
  const long = `TASK [Install packages] ***\nfatal: [infra1]: FAILED! => {"msg": "first ${'x '.repeat(500)}last"}`;
  const { start, end } = list(
    'echo "[ERROR]: the playbook: x could not be found"; exit 1',
    `cat <<'LOG'\n${long}\nLOG\nexit 2`,
  );
  start(0);
  expect(end(0)['failures']).toEqual(['[ERROR]: the playbook: x could not be found']);
  start(1);
  expect(String(end(1)['failures'])).toMatch(
    /^TASK \[Install packages\]: fatal: \[infra1\]: first x .{400,500}x last$/,
  );
});

test('a command that is not there ends with a reason', () => {
  const root = folderWith();
  const step = stepOn(root);
  const asked = { cluster: 'c', playbook: 'p', digest: 'd', checkout: root, first: '', at: 0 };
  const steps = [{ name: 's', argv: ['/no/such/program'] }];
  step({ ...asked, steps, action: 'start' });
  expect(step({ ...asked, steps, action: 'look' })).toMatchObject({
    rc: 127,
    failures: [expect.stringContaining('No such file') as string],
  });
});
