import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { render } from '../../../generators/render.ts';
import { bundleFolder } from '../../support/definitions/bundle-folder.ts';
import { commitAll, kubesprayExample } from '../../support/definitions/kubespray.ts';
import { templates } from '../../support/definitions/templates.ts';

/** A server with a stand-in for kubespray; its hosts are this machine. */
const home = mkdtempSync(join(tmpdir(), 'playsmith-kubespray-'));
const tree = join(home, 'tree');
let bundle = '';

beforeAll(() => {
  cpSync(join(import.meta.dirname, '../../lab/kubespray-tree'), tree, { recursive: true });
  const venv = join(home, 'venv/bin');
  mkdirSync(venv, { recursive: true });
  const found = spawnSync('sh', ['-c', 'command -v ansible-playbook'], { encoding: 'utf8' }).stdout.trim();
  symlinkSync(found, join(venv, 'ansible-playbook'));
  const cluster = {
    ...kubesprayExample,
    ansibleServer: { ...kubesprayExample.ansibleServer, directory: join(home, 'playsmith') },
    kubespray: {
      ...kubesprayExample.kubespray,
      tree,
      source: { kind: 'path' as const, ...commitAll(tree) },
      venv: join(home, 'venv'),
      variables: { from_definition: 'passed on', stand_in_folder: home },
    },
  };
  bundle = bundleFolder(render(cluster, templates));
});
beforeEach(() => {
  for (const name of existsSync(kept()) ? readdirSync(kept()) : [])
    if (name.startsWith('called-')) rmSync(join(kept(), name));
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

const local = {
  ansible_connection: 'local',
  ansible_python_interpreter: '/usr/bin/python3',
  ansible_become: false,
};

interface Call {
  readonly env?: Readonly<Record<string, string>>;
  readonly words?: readonly string[];
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, string>>;
}

function run(entry: string, { words = [], variables = {}, secrets = {}, env = {} }: Call = {}) {
  const file = join(bundle, 'files/kubespray/run.py');
  const told = JSON.stringify({ ...local, ...variables });
  return spawnSync('/usr/bin/python3', [file, entry, '--variables', told, ...words], {
    encoding: 'utf8',
    input: JSON.stringify(secrets),
    env: { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8', ...env },
  });
}

interface Noted {
  readonly host: string;
  readonly groups: readonly string[];
  readonly first: string;
  readonly limit: string;
  readonly node: string;
  readonly answers: readonly unknown[];
  readonly password: string;
  readonly extra: string;
}

const noted = (entry: string): readonly Noted[] =>
  readFileSync(join(kept(), `called-${entry}`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Noted);

const kept = (): string => join(home, 'playsmith/kept/kubespray/kubespray');
const log = (): string => {
  const folder = join(kept(), 'logs');
  return readFileSync(join(folder, readdirSync(folder).sort().at(-1) ?? ''), 'utf8');
};

test('cluster.yml is called for every host, with what the definition passes on', () => {
  const done = run('cluster', { words: ['--expect', 'master01,master02,master03,worker01,worker02'] });
  expect(done.status, done.stdout).toBe(0);
  expect(done.stdout).toMatch(/^kubespray v2\.28\.1: commit [0-9a-f]{40}, tree [0-9a-f]{40}\n$/);
  expect(done.stderr).toContain('changed');
  const all = noted('cluster');
  expect(all.map(({ host }) => host).sort()).toEqual([
    'master01',
    'master02',
    'master03',
    'worker01',
    'worker02',
  ]);
  expect(all.every(({ extra }) => extra === 'passed on')).toBe(true);
  expect(all.find(({ host }) => host === 'worker01')?.groups).toEqual(['k8s_cluster', 'kube_node']);
});

test('a limit, the names of nodes and answers reach kubespray as they are', () => {
  expect(run('scale', { words: ['--limit', 'worker02', '--expect', 'worker02'] })).toMatchObject({
    status: 0,
  });
  expect(noted('scale')).toMatchObject([{ host: 'worker02', limit: 'worker02' }]);
  const variables = { node: 'worker01,worker02', skip_confirmation: true, reset_nodes: false };
  expect(run('remove-node', { variables, words: ['--expect', 'worker01,worker02'] })).toMatchObject({
    status: 0,
  });
  expect(noted('remove-node')).toMatchObject([
    { node: 'worker01,worker02', answers: [true, '', false, false] },
    { node: 'worker01,worker02' },
  ]);
  expect(run('reset', { variables: { reset_confirmation: 'yes' } })).toMatchObject({ status: 0 });
});

test('broken control planes are copied into their groups, and come after the others', () => {
  const words = ['--broken', 'master01', '--expect', 'master01,master02,master03'];
  expect(run('recover-control-plane', { words })).toMatchObject({ status: 0 });
  const all = noted('recover-control-plane');
  expect(all.every(({ first }) => first === 'master02')).toBe(true);
  expect(all.find(({ host }) => host === 'master01')?.groups).toEqual([
    'broken_etcd',
    'broken_kube_control_plane',
    'etcd',
    'k8s_cluster',
    'kube_control_plane',
  ]);
});

test('what is gone is not in the inventory, where kubespray would ask it', () => {
  expect(run('cluster', { words: ['--without', 'worker02'] })).toMatchObject({ status: 0 });
  expect(noted('cluster').map(({ host }) => host)).not.toContain('worker02');
});

test("hosts show the keys of the definition, whatever file kubespray's own settings name", () => {
  const [ssh, words] = [join(home, 'ssh'), join(home, 'ssh-words')];
  writeFileSync(ssh, `#!/bin/sh\nprintf '%s\\n' "$@" >>${words}\nexit 255\n`, { mode: 0o755 });
  const done = run('cluster', { variables: { ansible_connection: 'ssh' }, env: { PLAYSMITH_SSH: ssh } });
  expect(done.status).toBe(1);
  // Of several ssh takes the first.
  const first = (option: string): string | undefined =>
    readFileSync(words, 'utf8')
      .split('\n')
      .find((word) => word.startsWith(`${option}=`));
  expect(first('UserKnownHostsFile')).toMatch(/\/known_hosts"$/);
  expect(first('StrictHostKeyChecking')).toBe('StrictHostKeyChecking=yes');
  expect(first('ConnectTimeout')).toBe('ConnectTimeout=10');
  expect(readFileSync(words, 'utf8')).not.toContain('ConnectionAttempts');
});

test('nothing is recovered from nobody', () => {
  const done = run('recover-control-plane', { words: ['--broken', 'master01,master02,master03'] });
  expect(done).toMatchObject({
    status: 1,
    stdout: 'no other host of kube_control_plane is left to recover master01, master02, master03 from\n',
  });
});

test('a name that is none is a failure, although Ansible says success', () => {
  const done = run('remove-node', { variables: { node: 'worker03' }, words: ['--expect', 'worker03'] });
  expect(done.status).toBe(1);
  expect(done.stdout).toContain('kubespray did nothing on worker03');
});

test('a failure tells the task and its message, not what was ignored or rescued before it, and where the rest is', () => {
  const done = run('cluster', { variables: { fail_on: 'worker01' }, words: ['--expect', 'worker01'] });
  expect(done.status).toBe(1);
  expect(log()).toContain('what is ignored');
  expect(log()).toContain('what is rescued: two');
  expect(done.stdout).toMatch(
    /^kubespray failed \(status 2\)\nTASK \[Fail where a test wants it\]\nfatal: \[worker01\]: FAILED! this host is told to fail\nall of it: /,
  );
  expect(done.stdout).toContain(`all of it: ${kept()}/logs/`);
});

test('secrets reach kubespray, and neither its log nor a file', () => {
  const password = `it's "{{ 1 + 1 }}" canary`;
  const done = run('cluster', {
    secrets: { vault_x: password },
    variables: { ansible_password: '{{ vault_x }}', fail_on: 'master01', shown: '{{ vault_x }}' },
    words: ['--expect', 'master01'],
  });
  expect(done.status).toBe(1);
  expect(done.stdout + done.stderr + log()).not.toContain('canary');
  expect(noted('cluster').map(({ password: hash }) => hash)).toContain(
    createHash('sha256').update(password).digest('hex'),
  );
});

test('its log has no key of the cluster that kubespray shows of itself', () => {
  const shown = `join --token abcdef.0123456789abcdef "--certificate-key", "${'0f'.repeat(32)}" --control-plane --certificate-key ${'1e'.repeat(32)}`;
  const done = run('cluster', { variables: { fail_on: 'master01', shown } });
  expect(done.status).toBe(1);
  for (const part of ['0123456789abcdef', '0f0f', '1e1e']) expect(done.stdout + log()).not.toContain(part);
  expect(log()).toContain('--control-plane --certificate-key [secret]');
});

test('its log has no secret in any form, nor a part of one that goes over several lines', () => {
  const password = `line one of "it"\nline two of <it>, canary\n${'long '.repeat(20)}`;
  const shown = `{{ [vault_x | to_json | to_json, ('user:' ~ vault_x) | b64encode, vault_x | urlencode, 'user:' ~ vault_x | b64encode | regex_replace('(.{40})', '\\1\\n')] | join(' ') }}`;
  const done = run('cluster', {
    secrets: { vault_x: password },
    variables: { fail_on: 'master01', shown },
    words: ['--expect', 'master01'],
  });
  expect(done.status).toBe(1);
  const coded = [0, 1, 2].map((skip) =>
    Buffer.from(`${' '.repeat(skip)}${password}`)
      .toString('base64')
      .slice(8, 24),
  );
  for (const part of ['canary', 'line one', 'line%20two', 'line+two', ...coded])
    expect(done.stdout + done.stderr + log()).not.toContain(part);
  expect(log()).toContain('[secret]');
});

test('nothing is written into the bundle, and what is kept is for the user alone', () => {
  expect(existsSync(join(bundle, 'kubespray/credentials'))).toBe(false);
  expect(readdirSync(kept()).filter((name) => !name.startsWith('called-'))).toEqual(['facts', 'logs']);
});

test('what is missing on the server is told with its remedy', () => {
  rmSync(join(home, 'venv'), { recursive: true });
  expect(run('cluster').stdout).toContain('its Ansible is missing on the Ansible server: no ');
});
