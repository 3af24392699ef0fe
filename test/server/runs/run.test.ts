import { existsSync, readFileSync, rmSync, statSync, writeFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event } from '../../../tasks/runtime/events.ts';
import type { Server } from '../../../tasks/runtime/server.ts';
import { fetchRecord, localLog, localRecords } from '../../../tasks/steps/run/record.ts';
import { cancel } from '../../../tasks/steps/run/lock.ts';
import { push } from '../../../tasks/steps/bundle/push.ts';
import { log, runs } from '../../../tasks/steps/run/runs.ts';
import { outline as outlineOf } from '../../../generators/outline/outline.ts';
import { lengthsOf } from '../../../tasks/steps/run/execute.ts';
import { start } from '../../../tasks/steps/run/start.ts';
import { verdict } from '../../../tasks/steps/run/verdict.ts';
import type { RunEnding } from '../../../tasks/runtime/agent/run-records.ts';
import {
  begin,
  failure,
  locally,
  meta,
  overSsh,
  runIt,
  serverFolder,
  smallDisk,
  value,
  watch,
  type Seen,
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

const ending = ({ followed }: Seen): RunEnding => value(followed) as RunEnding;
const of = <Type extends Event['type']>(
  events: readonly Event[],
  type: Type,
): Extract<Event, { type: Type }>[] =>
  events.filter((event): event is Extract<Event, { type: Type }> => event.type === type);

const twoHosts = { one: localHost, two: localHost };

const writing = (path: string): string => `---
- name: Write a file
  hosts: all
  gather_facts: false
  tasks:
    - name: Write it
      ansible.builtin.copy:
        content: "text\\n"
        dest: "${path}-{{ inventory_hostname }}"
        mode: "0644"
      notify: Look at it
    - name: Say so
      ansible.builtin.debug:
        msg: done
  handlers:
    - name: Look at it
      ansible.builtin.command: "true"
`;

test('a run tells play, tasks with their numbers, handlers and hosts, then changes nothing when it runs again', async () => {
  const bundle = playbookBundle(writing(join(directory, 'written')), twoHosts);
  const first = await runIt(server, bundle);
  expect(ending(first).status).toBe('successful');
  expect(of(first.events, 'play-started').map(({ name }) => name)).toEqual(['Write a file']);
  expect(
    of(first.events, 'task-started').map(({ name, number, handler }) => [name, number, handler]),
  ).toEqual([
    ['Write it', 1, false],
    ['Say so', 2, false],
    ['Look at it', 2, true],
  ]);
  expect(ending(first).recap['one']).toMatchObject({ ok: 3, changed: 2, failed: 0, unreachable: 0 });
  const counters = first.events.flatMap((event) => ('counter' in event ? [event.counter] : []));
  expect(counters).toEqual([...counters].sort((a, b) => a - b));
  const second = await runIt(server, bundle);
  expect(ending(second).recap['two']).toMatchObject({ changed: 0, failed: 0 });
  expect(verdict(ending(second)).ok).toBe(true);
});

test('tasks have the same numbers for who comes later, and in the record, when a play leaves some out', async () => {
  const said = (name: string): string =>
    `    - name: ${name}\n      ansible.builtin.debug:\n        msg: done\n`;
  const playbook = `---
- name: Leave
  hosts: all
  gather_facts: false
  tasks:
${said('First')}    - name: Leave the rest out
      ansible.builtin.meta: end_play
${said('Left out')}- name: Go on
  hosts: all
  gather_facts: false
  tasks:
${said('After it')}${said('Last')}`;
  const bundle = playbookBundle(playbook);
  value(await push(server, bundle));
  const outline = lengthsOf(outlineOf(bundle.files, 'site.yml'));
  const request = { bundle, playbook: 'site.yml', options: {}, secrets: new Map(), meta, outline };
  const { run } = value(await start(server, request));
  const first = of((await watch(server, run)).events, 'task-started');
  const numbers = first.map(({ name, number }) => [name, number]);
  expect(numbers).toEqual([
    ['First', 1],
    ['Leave the rest out', 2],
    ['After it', 4],
    ['Last', 5],
  ]);
  const from = first[3]?.counter ?? 0;
  const later = of((await watch(server, run, { from })).events, 'task-started');
  expect(later.map(({ name, number }) => [name, number])).toEqual([['Last', 5]]);
  const folder = join(directory, 'copies-of-numbers');
  const { record } = value(await fetchRecord(server, { cluster: 'try', run, folder }));
  expect(record.tasks?.map(({ name, number }) => [name, number])).toEqual(numbers);
  const [listed] = value(await runs(server, { cluster: 'try', limit: 1 })).runs;
  expect(listed).not.toHaveProperty('outline');
});

test('parts of a task, as of an Ansible that it calls, are told while it works and counted with the rest', async () => {
  const part = (number: number, name: string): string => JSON.stringify({ name, number });
  const lines = [part(1, 'role : one'), 'no part', part(2, 'role : two')].map((line) => `echo '${line}'`);
  const playbook = `---
- name: Call another
  hosts: all
  gather_facts: false
  tasks:
    - name: Call it
      ansible.builtin.shell: |
        (${lines.join('; ')}) >>"$PLAYSMITH_TOLD"
        sleep 2
    - name: Go on
      ansible.builtin.debug:
        msg: done
`;
  const { events } = await runIt(server, playbookBundle(playbook));
  expect(of(events, 'part-started').map(({ name, number }) => [name, number])).toEqual([
    ['role : one', 1],
    ['role : two', 2],
  ]);
  const counters = events.flatMap((event) => ('counter' in event ? [event.counter] : []));
  expect(counters).toEqual([...new Set(counters)].sort((a, b) => a - b));
  const at = (type: string): number => events.findIndex((event) => event.type === type);
  expect(at('part-started')).toBeLessThan(at('host-finished'));
});

test('files that Ansible makes get the modes that a login would give them', async () => {
  const path = join(directory, 'plain');
  const playbook = `---
- name: Make a file
  hosts: all
  gather_facts: false
  tasks:
    - name: Make it
      ansible.builtin.command:
        cmd: touch ${path}
        creates: ${path}
`;
  await runIt(server, playbookBundle(playbook));
  expect(statSync(path).mode & 0o777).toBe(0o644);
});

test('check mode shows diffs and changes nothing', async () => {
  const path = join(directory, 'checked');
  const seen = await runIt(server, playbookBundle(writing(path)), { options: { check: true } });
  expect(of(seen.events, 'host-finished')[0]).toMatchObject({
    status: 'changed',
    diff: expect.stringContaining('+text') as string,
  });
  expect(existsSync(`${path}-one`)).toBe(false);
});

test('limit, tags and skipped tags reach Ansible and the record', async () => {
  const playbook = `---
- name: Tagged
  hosts: all
  gather_facts: false
  tasks:
    - name: Wanted
      ansible.builtin.debug: { msg: a }
      tags: [wanted]
    - name: Skipped
      ansible.builtin.debug: { msg: b }
      tags: [wanted, skipped]
    - name: Other
      ansible.builtin.debug: { msg: c }
`;
  const options = { limit: ['two'], tags: ['wanted'], skipTags: ['skipped'], forks: 3 };
  const seen = await runIt(server, playbookBundle(playbook, twoHosts), { options });
  expect(of(seen.events, 'host-finished').map(({ host, task }) => [host, task])).toEqual([['two', 'Wanted']]);
  expect(value(await runs(server, { cluster: 'try' })).runs.at(-1)?.options).toEqual(options);
});

test('variables of a run reach Ansible as text that it evaluates nowhere, and are in the record alone afterwards', async () => {
  const playbook = `---
- name: Say
  hosts: all
  gather_facts: false
  tasks:
    - name: Say it
      ansible.builtin.debug:
        msg: "{{ restore_snapshot }} {{ restore_days is string }}"
`;
  const variables = { restore_snapshot: '{{ 6 * 7 }}: "é😀"', restore_days: '0755' };
  const seen = await runIt(server, playbookBundle(playbook), { options: { variables } });
  expect(of(seen.events, 'host-finished')[0]?.message).toBe('{{ 6 * 7 }}: "é😀" True');
  expect(value(await runs(server, { cluster: 'try' })).runs.at(-1)?.options).toEqual({ variables });
  expect(existsSync(join(directory, 'runs/try', seen.run, 'variables.yml'))).toBe(false);
});

test('a failing task whose program prints what is no text ends the run as any other', async () => {
  const bytes = String.raw`printf '\377\376 \355\240\200' >&2; exit 3`;
  const tasks = [{ name: 'Break', 'ansible.builtin.shell': bytes }];
  const playbook = JSON.stringify([{ name: 'Play', hosts: 'all', gather_facts: false, tasks }]);
  const seen = await runIt(server, playbookBundle(playbook));
  expect(value(seen.followed)).toMatchObject({ status: 'failed', failures: [{ task: 'Break' }] });
  const { runs: listed, locks } = value(await runs(server, { cluster: 'try' }));
  expect([listed.at(-1)?.status, locks]).toEqual(['failed', {}]);
});

test('a failing task names task, host and the words of the module, and the way to the output', async () => {
  const playbook = `---
- name: Fail
  hosts: all
  gather_facts: false
  tasks:
    - name: Rescued
      block:
        - name: Fail but be rescued
          ansible.builtin.command: "false"
      rescue:
        - name: Rescue
          ansible.builtin.debug: { msg: rescued }
    - name: Break
      ansible.builtin.command: sh -c 'echo the disk is on fire >&2; exit 3'
      when: inventory_hostname == 'two'
`;
  const seen = await runIt(server, playbookBundle(playbook, twoHosts));
  const told = failure(verdict(ending(seen)));
  expect(told).toMatchObject({ kind: 'playbook', message: 'site.yml failed on two' });
  expect(told).toMatchObject({ evidence: 'two: TASK [Break]: non-zero return code\n  the disk is on fire' });
  expect(told).toMatchObject({ next: expect.stringContaining(`npx task logs ${seen.run}`) as string });
});

test('a run that filled the disk can be cancelled', async () => {
  const wait = [{ name: 'Wait', 'ansible.builtin.command': 'sleep 300' }];
  const playbook = JSON.stringify([{ name: 'Play', hosts: 'all', gather_facts: false, tasks: wait }]);
  const disk = smallDisk(2048);
  const there = await locally(disk.folder);
  try {
    const { run } = value(await begin(there, playbookBundle(playbook)));
    for (let size = 2 ** 20; size > 0; size = Math.floor(size / 2))
      try {
        writeFileSync(join(disk.folder, `filler-${size}`), Buffer.alloc(size));
      } catch {
        // So much is not left.
      }
    expect(value(await cancel(there, { cluster: 'try', run, who: 'Ada' }))).toMatchObject({
      ...{ status: 'canceled', unstopped: [] },
    });
    expect(value(await runs(there, { cluster: 'try' })).locks).toEqual({});
  } finally {
    await there.close();
    disk.unmount();
  }
});

test('what Ansible warns of is told', async () => {
  const playbook = '---\n- name: Nobody\n  hosts: nobody_at_all\n  gather_facts: false\n  tasks: []\n';
  const seen = await runIt(server, playbookBundle(playbook));
  expect(of(seen.events, 'warning').map(({ text }) => text)).toContainEqual(
    expect.stringContaining('Could not match supplied host pattern, ignoring: nobody_at_all'),
  );
});

test('a host that does not answer is told apart from one that fails', async () => {
  const nobody = {
    ansible_host: '127.0.0.1',
    ansible_port: 1,
    ansible_python_interpreter: '/usr/bin/python3',
  };
  const playbook =
    '---\n- name: Ping\n  hosts: all\n  gather_facts: false\n  tasks:\n    - name: Ping\n      ansible.builtin.ping:\n';
  const seen = await runIt(server, playbookBundle(playbook, { one: localHost, gone: nobody }));
  expect(ending(seen).status).toBe('unreachable');
  const told = failure(verdict(ending(seen)));
  expect(told).toMatchObject({ kind: 'unreachable', message: 'site.yml could not reach gone' });
  expect(told).toMatchObject({ evidence: expect.stringContaining('Connection refused') as string });
});

test('host keys of the nodes are checked, although ansible-runner would switch that off', async () => {
  const node = {
    ansible_host: '127.0.0.1',
    ansible_port: sshd.port,
    ansible_ssh_private_key_file: sshd.privateKey,
    ansible_ssh_common_args: `-o UserKnownHostsFile=/dev/null -o ControlPath=none`,
  };
  const playbook =
    '---\n- name: Ping\n  hosts: all\n  gather_facts: false\n  tasks:\n    - name: Ping\n      ansible.builtin.raw: "true"\n      changed_when: false\n';
  const refused = await runIt(server, playbookBundle(playbook, { one: node }));
  expect(ending(refused).status).toBe('unreachable');
  expect(JSON.stringify(ending(refused).failures)).toContain('Host key verification failed');
  const known = {
    ...node,
    ansible_ssh_common_args: `-o UserKnownHostsFile=${join(sshd.around.home, '.ssh/known_hosts')} -o ControlPath=none`,
  };
  expect(ending(await runIt(server, playbookBundle(playbook, { one: known }))).status).toBe('successful');
});

test('a playbook that Ansible cannot read shows what it said', async () => {
  const seen = await runIt(
    server,
    playbookBundle('---\n- name: Wrong\n  hosts: all\n  tasks:\n    - no_such_module_here: {}\n'),
  );
  expect(ending(seen).status).toBe('error');
  expect(failure(verdict(ending(seen)))).toMatchObject({
    kind: 'playbook',
    evidence: expect.stringContaining("couldn't resolve module/action 'no_such_module_here'") as string,
  });
});

test('a bundle that was changed on the server does not run', async () => {
  const bundle = playbookBundle(writing(join(directory, 'tampered')));
  value(await push(server, bundle));
  writeFileSync(join(directory, 'bundles', 'try', bundle.digest, 'site.yml'), '---\n');
  const refused = failure(
    await start(server, { bundle, playbook: 'site.yml', options: {}, secrets: new Map(), meta }),
  );
  expect(refused).toMatchObject({
    kind: 'bundle',
    evidence: expect.stringContaining('changed: site.yml') as string,
  });
});

test('a bundle that is not there, and a playbook that is not in it, are named', async () => {
  const bundle = bundleOf({ 'other.yml': '---\n' });
  const request = { bundle, playbook: 'site.yml', options: {}, secrets: new Map(), meta };
  expect(failure(await start(server, request))).toMatchObject({
    kind: 'server',
    next: expect.stringContaining('push') as string,
  });
  value(await push(server, bundle));
  expect(failure(await start(server, request))).toMatchObject({
    kind: 'bundle',
    message: 'The bundle has no playbook site.yml',
  });
});

describe('the record', () => {
  test('says who ran what from where, how long each task took on each host, and how it ended', async () => {
    const bundle = playbookBundle(writing(join(directory, 'recorded')), twoHosts);
    const { run } = await runIt(server, bundle, { options: { diff: true } });
    const folder = join(directory, '.playsmith');
    const { record, path } = value(await fetchRecord(server, { cluster: 'try', run, folder }));
    expect(record).toMatchObject({
      run,
      cluster: 'try',
      playbook: 'site.yml',
      digest: bundle.digest,
      status: 'successful',
      meta,
    });
    expect(record).toMatchObject({ options: { diff: true }, eventsLost: 0, exitStatus: 0 });
    expect(record.versions['ansible-core']).toMatch(/^2\./);
    expect(record.versions['ansible-runner']).toMatch(/^2\.|^$/);
    expect(record.tasks?.map(({ name, hosts }) => [name, Object.keys(hosts).sort()])).toEqual([
      ['Write it', ['one', 'two']],
      ['Say so', ['one', 'two']],
      ['Look at it', ['one', 'two']],
    ]);
    expect(record.tasks?.[0]?.seconds).toBeGreaterThan(0);
    expect(readdirSync(path).sort()).toEqual(['events.ndjson.gz', 'record.json']);
    expect((await localRecords(folder, 'try')).map((each) => each.run)).toEqual([run]);
    expect(await localLog(folder, 'try', run)).toContain('TASK [Write it]');
  });

  test('of the latest run is found without its name, and its output is that of Ansible', async () => {
    let text = '';
    const print = (more: string): void => {
      text += more;
    };
    const told = value(await log(server, { cluster: 'try', run: '', print }));
    expect(told.status).toBe('successful');
    expect(text).toMatch(/PLAY \[Write a file\][\s\S]*PLAY RECAP[\s\S]*one\s+: ok=3/);
  });

  test('nothing but record and events stays in the folder of a run, for its user alone', async () => {
    const { run } = await runIt(server, playbookBundle(writing(join(directory, 'kept'))), {
      secrets: { vault_a: 'aaaa-secret' },
    });
    const folder = join(directory, 'runs', 'try', run);
    expect(readdirSync(folder).sort()).toEqual(['events.ndjson.gz', 'record.json', 'supervisor.log']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o077)).toEqual([0, 0, 0]);
    expect(readFileSync(join(folder, 'supervisor.log'), 'utf8')).toBe('');
  });

  test('asking for a run that is not there says so', async () => {
    const folder = join(directory, '.none');
    const told = failure(
      await fetchRecord(server, { cluster: 'try', run: '20260101T000000Z-site-aaaa', folder }),
    );
    expect(told).toMatchObject({
      kind: 'run',
      message: expect.stringContaining('There is no run') as string,
    });
    expect(failure(await fetchRecord(server, { cluster: 'none', run: '', folder })).kind).toBe('run');
  });
});

test('this machine as the Ansible server runs the same way', async () => {
  const here = await locally(serverFolder());
  const seen = await runIt(here, playbookBundle(writing(join(here.directory, 'local'))));
  expect(ending(seen).status).toBe('successful');
  await here.close();
  rmSync(here.directory, { recursive: true, force: true });
});

const scoped = `---
- name: Tell who it is about
  hosts: all:!others
  gather_facts: false
  tasks:
    - name: Fail on one of them
      ansible.builtin.command: "{{ 'false' if inventory_hostname == 'one' else 'true' }}"
      changed_when: false
    - name: Go on with the others
      ansible.builtin.debug:
        msg: "{{ groups['targets'] | sort | join(' ') }} by {{ groups['kubectl_host'] | first }}"
`;

test('a run with a scope is about those machines alone; one of several that fails does not stop the others', async () => {
  const hosts = { one: localHost, two: localHost, three: localHost, four: localHost };
  const nobody = {
    targets: [],
    others: [],
    unaffected: [],
    leaving: [],
    skipped: [],
    kubectl_host: ['four'],
  };
  const own = playbookBundle(scoped, hosts);
  const files = Object.fromEntries(
    own.files.filter(({ path }) => path !== 'manifest.json').map(({ path, text }) => [path, text]),
  );
  const bundle = bundleOf({
    ...files,
    'ansible.cfg': '[defaults]\ninventory = inventory\nany_errors_fatal = True\n',
    'inventory/scope.yml':
      '{all: {children: {others: {hosts: {two: {}}}, kubectl_host: {hosts: {two: {}}}}}}\n',
  });
  const targets = ['one', 'two', 'three'];
  const seen = await runIt(server, bundle, { options: { scope: { ...nobody, targets, others: ['four'] } } });
  const { recap } = ending(seen);
  expect(Object.keys(recap).sort()).toEqual(['one', 'three', 'two']);
  expect(recap['one']).toMatchObject({ failed: 1 });
  expect(recap['two']).toMatchObject({ failed: 0, ok: 2 });
  expect(of(seen.events, 'host-finished').map(({ message }) => message)).toContain('one three two by four');
  const alone = await runIt(server, bundle, {
    options: { scope: { ...nobody, targets: ['one'], others: ['four', 'three'] } },
  });
  // Two is in no group of the scope, so it stands for what an operation does beside its one target.
  expect(ending(alone).recap['two']).toMatchObject({ ok: 1 });
  const { folder } = { folder: join(directory, 'runs', 'try', ending(seen).run) };
  expect(readdirSync(folder)).not.toContain('scope.yml');
  expect(JSON.parse(readFileSync(join(folder, 'record.json'), 'utf8'))).toMatchObject({
    options: { scope: { targets } },
  });
});

test('a scope is names and nothing else', async () => {
  const scope = {
    targets: ['one: {x: y}'],
    others: [],
    unaffected: [],
    leaving: [],
    skipped: [],
    kubectl_host: [],
  };
  const bundle = playbookBundle(scoped);
  value(await push(server, bundle));
  const started = await start(server, {
    bundle,
    playbook: 'site.yml',
    options: { scope },
    secrets: new Map(),
    meta,
  });
  expect(failure(started).message).toContain('no names of machines');
});
