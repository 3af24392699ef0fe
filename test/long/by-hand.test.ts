import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { render } from '../../generators/render.ts';
import { bundleFolder } from '../support/definitions/bundle-folder.ts';
import { kubeadmCluster } from '../support/definitions/clusters.ts';
import { newerAnsible } from '../support/python-tools.ts';
import { freePort, startSshd, type Sshd } from '../support/server/sshd.ts';
import { templates } from '../support/definitions/templates.ts';

let sshd: Sshd;
let tools: string;
let closed: number;
const made: string[] = [];

beforeAll(async () => {
  sshd = await startSshd();
  tools = newerAnsible();
  closed = await freePort();
});
afterAll(() => {
  sshd.close();
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

interface Hosts {
  /** Names of machines that do not answer. */
  readonly dead?: readonly string[];
  readonly hostKey?: string;
}

/** A project in which the bundle lies in a folder of its own, as in a repository; every host is this machine, by real SSH. */
function project({ dead = [], hostKey = sshd.hostKey }: Hosts = {}): { top: string; bundle: string } {
  const given = kubeadmCluster();
  const machines = given.machines.map((each) => ({
    ...each,
    ssh: {
      ...each.ssh,
      host: '127.0.0.1',
      port: dead.includes(each.name) ? closed : sshd.port,
      user: sshd.around.user,
      privateKey: sshd.privateKey,
      hostKeys: [hostKey],
    },
  }));
  const top = mkdtempSync(join(tmpdir(), 'playsmith-by-hand-'));
  made.push(top);
  return {
    top,
    bundle: bundleFolder(render({ ...given, machines }, templates), join(top, 'project/playbooks/kube')),
  };
}

const names = kubeadmCluster().machines.map(({ name }) => name);

interface Ran {
  readonly status: number | null;
  readonly output: string;
  /** Names of the plays that began a task, in their order; newer Ansible names those that nobody is left for, too. */
  readonly plays: readonly string[];
}

function run(
  [program, ...words]: readonly [string, ...string[]],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Ran {
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: 100_000,
    env: {
      PATH: `${tools}:${process.env['PATH'] ?? ''}`,
      HOME: sshd.around.home,
      LANG: 'C.UTF-8',
      ANSIBLE_NOCOLOR: '1',
      NO_COLOR: '1',
      // What discovery finds first on a developer's machine may be a shim.
      ANSIBLE_PYTHON_INTERPRETER: '/usr/bin/python3',
      // Connections of its own: one that another test left open would not ask for the host's key.
      ANSIBLE_SSH_CONTROL_PATH_DIR: mkdtempSync(join(sshd.folder, 'cp-')),
      ...env,
    },
  });
  const output = stdout + stderr;
  return {
    status,
    output,
    plays: output
      .split(/^PLAY \[/m)
      .filter((play) => /^TASK \[/m.test(play))
      .map((play) => play.slice(0, play.indexOf(']'))),
  };
}

const guard = 'Connect to every host before any change';
const scoped = 'Require a scope that says of every machine whether the run is about it';

/** Each as its own user has it; every run only checks, so that not even a mistake changes this machine. */
const programs = ['/usr/bin/ansible-playbook', 'ansible-playbook'] as const;

describe.each(programs)('with %s of another directory', (program) => {
  const byHand = (bundle: string, playbook: string): Ran =>
    run([program, '--check', '-i', join(bundle, 'inventory'), join(bundle, playbook)], { cwd: '/' });

  test.each(['instantiate', 'preflight', 'node-prerequisites', 'containerd', 'workers', 'verify'])(
    'a host that does not answer stops %s before any is touched',
    (playbook) => {
      const { bundle } = project({ dead: [names.at(-1) ?? '', names[0] ?? ''] });
      const { status, output, plays } = byHand(bundle, `${playbook}.yml`);
      expect(plays.filter((play) => play !== guard && play !== scoped)).toEqual([]);
      expect(status).not.toBe(0);
      expect(output).toContain('UNREACHABLE!');
    },
  );

  test('hosts that answer with their keys are examined', () => {
    const { bundle } = project();
    expect(byHand(bundle, 'preflight.yml').plays).toContain('Examine every host');
  });

  test('a host with another key is not reached, whatever the environment says of host keys', () => {
    const { bundle } = project({ hostKey: `ssh-ed25519 ${'A'.repeat(68)}` });
    const { plays, output } = run(
      [program, '--check', '-i', join(bundle, 'inventory'), join(bundle, 'preflight.yml')],
      { cwd: '/', env: { ANSIBLE_HOST_KEY_CHECKING: 'False' } },
    );
    expect(plays).toEqual([guard]);
    expect(output).toMatch(/Host key verification failed|host key/i);
  });
});

describe('a scope', () => {
  const worker = names.at(-1) ?? '';
  const others = names.filter((name) => name !== worker);
  const kubectl_host = names.slice(0, 1);
  const empty = { targets: [], others: [], unaffected: [], leaving: [], skipped: [] };
  const whole = { ...empty, targets: [worker], others, unaffected: others, kubectl_host };
  const withScope = (playbook: string, scope: Readonly<Record<string, readonly string[]>>): Ran => {
    const { bundle, top } = project({ dead: names });
    const children = Object.fromEntries(
      Object.entries(scope).map(([group, all]) => [
        group,
        { hosts: Object.fromEntries(all.map((name) => [name, {}])) },
      ]),
    );
    writeFileSync(join(top, 'scope.yml'), JSON.stringify({ all: { children } }));
    const hosts = join(bundle, 'inventory/hosts.yml');
    return run(
      [programs[0], '--check', '-i', hosts, '-i', join(top, 'scope.yml'), join(bundle, `${playbook}.yml`)],
      { cwd: '/' },
    );
  };

  test('that names every machine lets the run begin', () => {
    expect(withScope('scale-out', whole).plays).toEqual([scoped, guard]);
    expect(withScope('scale-in', { ...whole, leaving: [worker] }).plays).toEqual([scoped, guard]);
    expect(withScope('instantiate', { ...empty, kubectl_host }).plays).toEqual([scoped, guard]);
  });

  test.each([
    ['without a kubectl host', 'scale-out', { ...whole, kubectl_host: [] }],
    ['that lacks a group', 'instantiate', { kubectl_host }],
    ['without targets', 'scale-out', { ...whole, targets: [] }],
    ['without the others', 'scale-out', { ...whole, others: [] }],
    ['that forgets one of the others', 'scale-out', { ...whole, others: others.slice(1) }],
    ['without those that are unaffected', 'scale-out', { ...whole, unaffected: [] }],
    [
      'with a target that the cluster does not have',
      'scale-out',
      { ...whole, targets: [worker, 'worker99'] },
    ],
    ['whose kubectl host is a target', 'scale-out', { ...whole, kubectl_host: [worker] }],
    ['in which nobody leaves', 'scale-in', whole],
    ['in which somebody leaves', 'heal-node', { ...whole, leaving: [worker] }],
    ['with targets for the whole cluster', 'instantiate', whole],
    ['of nothing', 'instantiate', {}],
    ['of nothing', 'scale-out', {}],
  ])('%s is refused by %s before any host is asked', (_, playbook, scope) => {
    const { plays, output, status } = withScope(playbook, scope);
    expect(plays).toEqual([scoped]);
    expect(status).not.toBe(0);
    expect(output).toMatch(/give -i inventory|Give -i inventory/);
  });
});

describe('as a project that AWX checks out', () => {
  /** AWX's job: ansible-runner, the checkout as project directory, and the inventory of its database as a program. */
  function job(dead: readonly string[], playbook: string): Ran {
    const { top, bundle } = project({ dead });
    const listed = run(['ansible-inventory', '-i', join(bundle, 'inventory'), '--list', '--export'], {
      cwd: '/',
    });
    const own = join(top, 'job');
    for (const folder of ['inventory', 'env', 'artifacts']) mkdirSync(join(own, folder), { recursive: true });
    symlinkSync(join(top, 'project'), join(own, 'project'));
    writeFileSync(
      join(own, 'inventory/hosts'),
      `#!/usr/bin/env python3\nprint(${JSON.stringify(listed.output)})\n`,
    );
    chmodSync(join(own, 'inventory/hosts'), 0o700);
    writeFileSync(join(own, 'env/cmdline'), '--check');
    return run(['ansible-runner', 'run', own, '-p', `playbooks/kube/${playbook}.yml`, '--ident', '1'], {
      cwd: '/',
    });
  }

  test('a host that does not answer stops it before any is touched', () => {
    const { plays, status, output } = job(names.slice(1, 2), 'instantiate');
    expect(plays).toEqual([scoped, guard]);
    expect(output).toContain('UNREACHABLE!');
    expect(status).not.toBe(0);
  });

  test('its copy of the inventory still finds the pinned host keys and the collection', () => {
    const { plays } = job([], 'instantiate');
    expect(plays.slice(0, 3)).toEqual([scoped, guard, 'Examine every host']);
  });
});

test('ansible-navigator without an execution environment runs a bundle, and stops at a host that does not answer', () => {
  const navigate = (dead: readonly string[]): Ran => {
    const { top, bundle } = project({ dead });
    return run(
      [
        ...(['ansible-navigator', 'run', join(bundle, 'instantiate.yml')] as const),
        ...[
          '-i',
          join(bundle, 'inventory'),
          '--check',
          '--mode',
          'stdout',
          '--execution-environment',
          'false',
        ],
        ...['--playbook-artifact-enable', 'false', '--log-file', join(top, 'navigator.log')],
      ],
      { cwd: top },
    );
  };
  expect(navigate(names.slice(0, 1)).plays).toEqual([scoped, guard]);
  expect(navigate([]).plays.slice(0, 3)).toEqual([scoped, guard, 'Examine every host']);
});
