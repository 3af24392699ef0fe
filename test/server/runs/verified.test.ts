import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Server } from '../../../tasks/runtime/server.ts';
import { fetchRecord, localRecords } from '../../../tasks/steps/run/record.ts';
import type { RunEnding, RunRecord } from '../../../tasks/runtime/agent/run-records.ts';
import {
  begin,
  failure,
  overSsh,
  runIt,
  serverFolder,
  value,
  watch,
  type Seen,
} from '../../support/server/ansible-server.ts';
import { bundleOf, localHost, playbookBundle } from '../../support/definitions/bundles.ts';
import { push } from '../../../tasks/steps/bundle/push.ts';
import { verdict } from '../../../tasks/steps/run/verdict.ts';
import { startSshd, type Sshd } from '../../support/server/sshd.ts';

let sshd: Sshd;
let home: string;
let directory: string;
let server: Server;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'playsmith-home-'));
  sshd = await startSshd([`SetEnv HOME=${home}`]);
  directory = serverFolder();
  server = await overSsh(sshd, directory);
});
afterAll(async () => {
  await server.close();
  sshd.close();
  for (const folder of [directory, home]) rmSync(folder, { recursive: true, force: true });
});

const plant = (path: string, text: string, mode = 0o644): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text, { mode });
};

const playbook = (...tasks: readonly object[]): string =>
  JSON.stringify([
    {
      name: 'Try',
      hosts: 'all',
      gather_facts: false,
      tasks: tasks.map((each, number) => ({ name: `Task ${number}`, ...each })),
    },
  ]);

const say = (text: string): object => ({ 'ansible.builtin.debug': { msg: text } });

const messages = ({ events }: Seen): readonly string[] =>
  events.flatMap((event) => (event.type === 'host-finished' ? [event.message] : []));

const status = ({ followed }: Seen): string => value(followed).status;

const recordOf = async (run: string): Promise<RunRecord> => {
  const kept = mkdtempSync(join(home, 'kept-'));
  value(await fetchRecord(server, { cluster: 'try', run, folder: kept }));
  const [record] = await localRecords(kept, 'try');
  if (!record) throw new Error(`no record of ${run} came`);
  return record;
};

const slowBundle = (...tasks: readonly object[]) =>
  bundleOf({
    'ansible.cfg': '[defaults]\ninventory = inventory\n',
    'inventory/hosts.yml': JSON.stringify({ all: { hosts: { one: localHost } } }),
    'files/said.txt': 'reviewed',
    'site.yml': playbook(...tasks),
  });

test('a file of the bundle that changes after the start is not what runs', async () => {
  const bundle = slowBundle(
    { 'ansible.builtin.wait_for': { path: join(home, 'go'), timeout: 60 } },
    say("{{ lookup('file', 'files/said.txt') }}"),
  );
  const { run } = value(await begin(server, bundle));
  writeFileSync(join(directory, 'bundles/try', bundle.digest, 'files/said.txt'), 'swapped');
  plant('go', '');
  const seen = await watch(server, run);
  expect(messages(seen).at(-1)).toBe('reviewed');
  expect(failure(await push(server, bundle))).toMatchObject({ kind: 'bundle' });
});

test('a run whose own copy was changed on the way does not count as successful, and its record says what changed', async () => {
  const bundle = slowBundle(
    {
      'ansible.builtin.shell':
        'chmod u+w {{ playbook_dir }}/files/said.txt; echo x > {{ playbook_dir }}/files/said.txt; chmod u+w {{ playbook_dir }}; cp -p {{ playbook_dir }}/site.yml {{ playbook_dir }}/x; rm {{ playbook_dir }}/x',
    },
    say('after'),
  );
  const seen = await runIt(server, bundle);
  expect(status(seen)).toBe('error');
  expect(failure(verdict(value(seen.followed) as RunEnding))).toMatchObject({
    kind: 'bundle',
    evidence: expect.stringContaining('changed: files/said.txt') as string,
  });
  expect(await recordOf(seen.run)).toMatchObject({ changedWhileRunning: ['changed: files/said.txt'] });
});

test('plugins, modules and Python files in the home of the server’s user take no part', async () => {
  plant('.ansible/plugins/lookup/file.py', 'raise SystemExit("lookup swapped")\n');
  plant('.ansible/plugins/modules/ping.py', 'raise SystemExit("module swapped")\n');
  plant('.ansible/plugins/action/debug.py', 'raise SystemExit("action swapped")\n');
  plant('.ansible/plugins/connection/local.py', 'raise SystemExit("connection swapped")\n');
  plant(
    '.ansible/plugins/filter/mine.py',
    'class FilterModule:\n    def filters(self):\n        return {"mine": str}\n',
  );
  const site = execFileSync('/usr/bin/python3', ['-c', 'import site; print(site.getusersitepackages())'], {
    env: { HOME: home },
    encoding: 'utf8',
  }).trim();
  plant(
    site.slice(home.length + 1) + '/usercustomize.py',
    `open(${JSON.stringify(join(home, 'user-site'))}, "w")\n`,
  );
  const seen = await runIt(
    server,
    slowBundle(
      { 'ansible.builtin.ping': {} },
      say("{{ lookup('file', 'files/said.txt') }}"),
      { ...say('{{ 1 | mine }}'), ignore_errors: true, register: 'mine' },
      say('{{ mine is failed }}'),
      { 'ansible.builtin.stat': { path: join(home, 'user-site') }, register: 'site' },
      say('{{ site.stat.exists }}'),
    ),
  );
  expect(messages(seen)).toContain('reviewed');
  expect(messages(seen).at(-1)).toBe('False');
  expect(messages(seen)[3]).toBe('True');
});

test('every path that Ansible searches lies in the run’s own folders', async () => {
  interface Setting {
    readonly type?: string;
  }
  const listed = execFileSync('ansible-config', ['list', '--format', 'json'], { encoding: 'utf8' });
  const names = Object.entries(JSON.parse(listed) as Record<string, Setting>)
    .filter(([name, { type = '' }]) => type === 'pathspec' || name === 'ANSIBLE_HOME')
    .map(([name]) => name)
    .filter((name) => name !== 'DEFAULT_CALLBACK_PLUGIN_PATH');
  expect(names.length).toBeGreaterThan(15);
  const seen = await runIt(
    server,
    playbookBundle(
      playbook(
        say(`{{ ${JSON.stringify(names)} | map('extract', {}) | list | length }}`),
        say(
          `{% for name in ${JSON.stringify(names).replaceAll('"', "'")} %}{{ name }}={{ lookup('config', name) }};{% endfor %}`,
        ),
      ),
    ),
  );
  const told = messages(seen).at(-1) ?? '';
  expect(told).toContain('DEFAULT_LOOKUP_PLUGIN_PATH=');
  expect(told).not.toMatch(/\.ansible|\/usr\/|\/etc\//);
  expect(told).not.toContain(home);
});

test('the ssh configuration of the server’s user takes no part', async () => {
  plant('.ssh/config', `Host *\n  ProxyCommand touch ${join(home, 'proxied')}\n`, 0o600);
  const remote = { ansible_host: '127.0.0.1', ansible_port: 9, ansible_ssh_common_args: '-o BatchMode=yes' };
  const seen = await runIt(server, playbookBundle(playbook({ 'ansible.builtin.ping': {} }), { one: remote }));
  expect(status(seen)).toBe('unreachable');
  const [told] = messages(seen);
  expect(told).toContain('Connection refused');
});

test('the record names Ansible, ansible-runner and what they import, with digests', async () => {
  const seen = await runIt(server, playbookBundle(playbook(say('x'))));
  const loaded = {
    path: expect.stringMatching(/^\//) as string,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  };
  expect(await recordOf(seen.run)).toMatchObject({
    loaded: {
      ...{ 'ansible-core': loaded, 'ansible-runner': loaded, 'ansible-playbook': loaded, python: loaded },
      ...{ jinja2: loaded, yaml: loaded, cryptography: loaded, pexpect: loaded },
    },
  });
  // Once it is imported, six takes itself for a package: its folder is that of everything else on the server.
  expect((await recordOf(seen.run)).loaded?.['six'] ?? moduleFile).toEqual(moduleFile);
});

const moduleFile = expect.objectContaining({ path: expect.stringMatching(/\.py$/) as string }) as unknown;
