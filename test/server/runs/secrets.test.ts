import { execFileSync, spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunEnding } from '../../../tasks/runtime/agent/run-records.ts';
import type { Event } from '../../../tasks/runtime/events.ts';
import { Secret } from '../../../tasks/runtime/secrets/secret.ts';
import { seal } from '../../../tasks/runtime/secrets/vault.ts';
import type { Server } from '../../../tasks/runtime/server.ts';
import { fetchRecord } from '../../../tasks/steps/run/record.ts';
import { log, runs } from '../../../tasks/steps/run/runs.ts';
import { verdict } from '../../../tasks/steps/run/verdict.ts';
import {
  begin,
  contents,
  failure,
  overSsh,
  runIt,
  serverFolder,
  value,
  watch,
} from '../../support/server/ansible-server.ts';
import { bundleOf, localHost, playbookBundle } from '../../support/definitions/bundles.ts';
import { startSshd, type Sshd } from '../../support/server/sshd.ts';

let sshd: Sshd;
let directory: string;
let server: Server;

beforeAll(async () => {
  sshd = await startSshd();
  directory = serverFolder();
  server = await overSsh(sshd, directory);
});
afterAll(async () => {
  await server.close();
  sshd.close();
  rmSync(directory, { recursive: true, force: true });
});

const canary = 'canary-7f3a9c';
const quoted = `canary "quoted" 'both' \\ back {{ jinja }}`;
const lines = 'canary-line-one-of-a-key\ncanary-line-two-of-a-key\n';
const secrets = { vault_plain: canary, vault_quoted: quoted, vault_lines: lines };
const isLeak = (text: string): boolean => text.includes('canary');

/** Arguments and environment of every process of this machine. */
function processes(): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) =>
    ['cmdline', 'environ'].map((name) => {
      try {
        return readFileSync(`/proc/${pid}/${name}`, 'latin1');
      } catch {
        return '';
      }
    }),
  );
}

/** What one run has in memory; other runs on this machine have their own. */
const scratchOf = (run: string): string =>
  (
    JSON.parse(readFileSync(join(directory, 'runs', 'try', run, 'record.json'), 'utf8')) as {
      scratch: string;
    }
  ).scratch;

test('values reach the playbook as they are, and nothing else: no argument, environment, file, event or record', async () => {
  const out = join(directory, 'seen-by-ansible');
  const gate = join(directory, 'gate');
  const bundle = playbookBundle(`---
- name: Use the secrets
  hosts: all
  gather_facts: false
  tasks:
    - name: Keep what Ansible sees
      ansible.builtin.copy:
        content: "{{ [vault_plain, vault_quoted, vault_lines] | to_json }}"
        dest: ${out}
        mode: "0600"
      no_log: true
    - name: Wait
      ansible.builtin.wait_for: { path: ${gate}, sleep: 1 }
    - name: Print carelessly {{ vault_plain }}
      ansible.builtin.debug:
        msg: "{{ [vault_plain, vault_quoted, vault_lines, vault_plain | b64encode, {'a': vault_quoted} | to_json] }}"
    - name: Fail carelessly
      ansible.builtin.command:
        argv: [sh, -c, "cat >&2; exit 1"]
        stdin: "{{ vault_lines }}{{ vault_quoted }}"
`);
  const events: Event[] = [];
  const { run } = value(await begin(server, bundle, { secrets }));
  const waiting = new Promise<void>((resolve) => {
    void watch(server, run, {
      report: (event) => {
        if (event.type === 'task-started' && event.name === 'Wait') resolve();
      },
    });
  });
  await waiting;
  const seen = readFileSync(out, 'utf8');
  expect(JSON.parse(seen)).toEqual([canary, quoted, lines]);
  rmSync(out);
  expect(processes().filter(isLeak)).toEqual([]);
  expect([...contents(directory)].filter(([, text]) => isLeak(text))).toEqual([]);
  expect(existsSync(scratchOf(run))).toBe(true);
  expect([...contents(scratchOf(run)).values()].filter(isLeak)).toEqual([]);
  const during = contents(join(directory, 'runs', 'try', run)).get(
    join(directory, 'runs', 'try', run, 'secrets.yml'),
  );
  expect(during).toMatch(/^\$ANSIBLE_VAULT;1\.1;AES256\n/);
  expect([...contents(directory).values()].filter((text) => text.includes('vault_plain')).length).toBe(1);

  writeFileSync(gate, '');
  const { followed } = await watch(server, run, { report: (event) => events.push(event) });
  const ending = value(followed) as RunEnding;
  expect(ending.status).toBe('failed');
  const told = JSON.stringify([
    events,
    ending,
    failure(verdict(ending)),
    value(await runs(server, { cluster: 'try' })),
  ]);
  expect(isLeak(told)).toBe(false);
  expect(told).toContain('[secret]');
  let printed = '';
  await log(server, {
    cluster: 'try',
    run,
    print: (text) => {
      printed += text;
    },
  });
  expect(isLeak(printed)).toBe(false);
  expect(printed).toContain('Print carelessly [secret]');

  const folder = join(directory, '.playsmith');
  const { path } = value(await fetchRecord(server, { cluster: 'try', run, folder }));
  const packed = gunzipSync(readFileSync(join(path, 'events.ndjson.gz'))).toString('utf8');
  expect(isLeak(packed)).toBe(false);
  expect(packed).not.toContain(Buffer.from(canary).toString('base64'));
  expect([...contents(directory)].filter(([, text]) => isLeak(text))).toEqual([]);
  expect(existsSync(join(directory, 'runs', 'try', run, 'secrets.yml'))).toBe(false);
  expect(existsSync(scratchOf(run))).toBe(false);
});

/** What Ansible puts down on its own machine, apart from the temporary files of the hosts that it manages. */
const ownFiles = (): string[] =>
  [...contents(join(homedir(), '.ansible', 'tmp'))]
    .filter(([path]) => path.includes('ansible-local-'))
    .map(([, text]) => text);

test('a run that is killed while it fills in a template leaves no value behind', async () => {
  const gate = join(directory, 'filled-in');
  const template = '{{ vault_plain }}\n';
  const bundle = bundleOf({
    'site.yml': `---
- name: Fill in a template
  hosts: all
  gather_facts: false
  tasks:
    - name: Write it slowly
      ansible.builtin.template:
        src: files/secret.j2
        dest: ${join(directory, 'target')}
        mode: "0600"
        validate: sh -c 'touch ${gate}; sleep 60; cat %s'
      no_log: true
`,
    'files/secret.j2': template,
    'inventory/hosts.yml': `${JSON.stringify({ all: { hosts: { one: { ...localHost, ansible_remote_tmp: join(directory, 'host') } } } })}\n`,
  });
  const { run } = value(await begin(server, bundle, { secrets }));
  while (!existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 50));
  const record = JSON.parse(readFileSync(join(directory, 'runs', 'try', run, 'record.json'), 'utf8')) as {
    readonly process: { readonly pid: number };
  };
  const pids = [record.process.pid, ...descendants(record.process.pid)];
  spawnSync('kill', ['-KILL', ...pids.map(String)]);
  // Being killed takes a moment; only then the run is lost, and swept.
  while (
    value(await runs(server, { cluster: 'try' })).runs.find((each) => each.run === run)?.status !== 'lost'
  )
    await new Promise((resolve) => setTimeout(resolve, 50));
  value(await runs(server, { cluster: 'try' }));
  expect(ownFiles().filter(isLeak)).toEqual([]);
  expect(existsSync(scratchOf(run))).toBe(false);
  await server.agent().ask('unlock', { cluster: 'try', force: true });
});

/** The eldest first. */
function descendants(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean);
  return children.flatMap((child) => [Number(child), ...descendants(Number(child))]);
}

test('the environment of a run holds only what a run needs', async () => {
  const out = join(directory, 'environment');
  const bundle = playbookBundle(`---
- name: Look around
  hosts: all
  gather_facts: false
  tasks:
    - name: Keep the environment
      ansible.builtin.copy:
        content: "{{ lookup('ansible.builtin.pipe', 'env') }}"
        dest: ${out}
        mode: "0600"
`);
  process.env['PLAYSMITH_TEST_CANARY'] = 'canary';
  value((await runIt(server, bundle)).followed);
  const names = readFileSync(out, 'utf8')
    .split('\n')
    .map((line) => line.split('=')[0] ?? '');
  const expected =
    /^(PATH|HOME|USER|LOGNAME|SHELL|TZ|TERM|LANG|LC_\w+|PYTHON\w+|ANSIBLE_\w+|AWX_ISOLATED_DATA_DIR|RUNNER_\w+|ORIGINAL_STDOUT_CALLBACK|PWD|SHLVL|OLDPWD|_|COLUMNS|LINES|PLAYSMITH_RUN|PLAYSMITH_SSH|PLAYSMITH_TOLD|)$/;
  expect(names.filter((name) => !expected.test(name))).toEqual([]);
});

test('no process of a run leaves a core dump', async () => {
  const out = join(directory, 'limits');
  const bundle = playbookBundle(`---
- name: Look at the limits
  hosts: all
  gather_facts: false
  tasks:
    - name: Keep those of a command
      ansible.builtin.shell: cat /proc/self/limits /proc/$PPID/limits > ${out}
      changed_when: true
`);
  expect(value((await runIt(server, bundle)).followed)).toMatchObject({ status: 'successful' });
  const limits = readFileSync(out, 'utf8').match(/^Max core file size.*$/gm) ?? [];
  expect(limits.map((line) => line.split(/ {2,}/).slice(1, 3))).toEqual([
    ['0', '0'],
    ['0', '0'],
  ]);
});

test('a vault of Ansible itself opens what we sealed', async () => {
  const sealed = await seal(new Map([['vault_a', new Secret('ünïcode ☃ \u0085')]]));
  const folder = serverFolder();
  writeFileSync(join(folder, 'file'), sealed?.vault ?? '');
  writeFileSync(join(folder, 'password'), sealed?.password ?? '');
  const plain = execFileSync('ansible-vault', [
    'view',
    '--vault-password-file',
    join(folder, 'password'),
    join(folder, 'file'),
  ]);
  expect(plain.toString('utf8')).toBe('vault_a: !unsafe "ünïcode ☃ \\u0085"\n');
  rmSync(folder, { recursive: true });
});
