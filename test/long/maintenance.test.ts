import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveKubeconfig } from '../../lab/client/user.ts';
import { runWorkload } from '../../lab/client/workload.ts';
import { down, exec, type Lab } from '../../lab/index.ts';
import { etcdctl } from '../support/hosts/etcd.ts';
import { kubectl, readiness } from '../support/hosts/kubernetes.ts';
import { definitionOf, must, raiseLab, until } from '../support/hosts/lab.ts';
import {
  firmware,
  installed,
  publish,
  script,
  startAsking,
  startOf,
  stopAsking,
  type Firmware,
} from '../support/hosts/maintenance.ts';
import { changes, planned, project, type Project } from '../support/project.ts';

const name = 'maintenance';
const nodes = ['cp1', 'worker1', 'worker2'] as const;
const allReady = nodes.map((node) => `${node}=True`).join(' ');
let lab: Lab;
let here: Project;
let power: Firmware;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, controlPlanes: 1, workers: 2 });
  power = firmware(lab);
  for (const node of nodes) {
    await publish(lab, node, '1.0');
    must(await exec(lab, node, ['dpkg', '--install', '/srv/patches/lab-tool_1.0_all.deb']));
  }
  here = await project(definition('1.0'));
  await here.done('render');
});

afterAll(async () => {
  await power.end();
  await here.remove();
  must(await down(name));
});

/** The definition of the lab, with an etcd that is soon full. */
function definition(version: string): string {
  const document = parseDocument(definitionOf(lab));
  document.setIn(['installer', 'kubeadm', 'extraArguments', 'etcd', 'quota-backend-bytes'], '50331648');
  document.set('extraPlaybooks', ['etcd-defragment']);
  document.set('patch', {
    packages: { 'lab-tool': version, 'never-here': '1.0' },
    rebootAfter: ['lab-tool'],
  });
  return document.toString();
}

async function pin(version: string): Promise<void> {
  for (const node of nodes) await publish(lab, node, version);
  await here.define(definition(version));
  await here.done('render');
}

/** Every node is up. */
const whole = (): Promise<void> =>
  until('every node is ready', async () => (await readiness(lab, 'cp1')) === allReady, 180);

const versions = (): Promise<readonly string[]> => Promise.all(nodes.map((node) => installed(lab, node)));
const starts = (): Promise<readonly string[]> => Promise.all(nodes.map((node) => startOf(lab, node)));

/** Nodes that take no pods, each with why. */
const outOfService = async (): Promise<string> =>
  kubectl(
    lab,
    'cp1',
    ...['get', 'nodes', '--output'],
    String.raw`jsonpath={range .items[?(@.spec.unschedulable)]}{.metadata.name}:{.metadata.annotations.playsmith\.dev/cordoned-for}{end}`,
  );

describe('a cluster whose machines have what is pinned', () => {
  test('is built, and nothing of it is patched', async () => {
    expect(await planned(here)).toEqual(['instantiate', 'patch']);
    const before = await starts();
    await here.done('apply', '--yes', '--json');
    await here.done('kubeconfig');
    must(await giveKubeconfig(lab, join(here.folder, '.playsmith', name, 'kubeconfig')));
    must(await runWorkload(lab, () => undefined));
    const budget = ['poddisruptionbudget', 'echo', '--selector=app=echo', '--min-available=1'];
    await kubectl(lab, 'cp1', 'create', ...budget);
    expect(await starts()).toEqual(before);
    expect(await planned(here)).toEqual([]);
  });
});

describe('a newer version of a package', () => {
  test('is a step of the plan, with the reason', async () => {
    await pin('1.1');
    expect(await planned(here)).toEqual(['patch', 'verify']);
    expect((await here.done('plan')).stdout).toContain('patch.packages.lab-tool: 1.0 becomes 1.1');
  });

  test('would change every node, says check mode, which changes none', async () => {
    const before = await starts();
    const checked = changes(await here.done('patch', '--check', '--json'));
    expect(Object.keys(checked).sort()).toEqual([...nodes]);
    expect(await versions()).toEqual(['1.0', '1.0', '1.0']);
    expect(await starts()).toEqual(before);
    expect(await outOfService()).toBe('');
  });

  test('is brought, machine by machine, each rebooted, while the workload is served', async () => {
    const before = await starts();
    await startAsking(lab);
    await here.done('apply', '--yes', '--json');
    const longest = await stopAsking(lab);
    process.stderr.write(`the workload was not served for ${longest} s at most\n`);
    expect(longest).toBeLessThan(10);
    expect(await versions()).toEqual(['1.1', '1.1', '1.1']);
    const after = await starts();
    expect(after.filter((start, index) => start === before[index])).toEqual([]);
    expect(await readiness(lab, 'cp1')).toBe(allReady);
    expect(await outOfService()).toBe('');
  });

  test('is brought once: plan, run and check find nothing more', async () => {
    expect(await planned(here)).toEqual([]);
    expect(changes(await here.done('patch', '--json'))).toEqual({});
    expect(changes(await here.done('patch', '--check', '--json'))).toEqual({});
  });

  test('that is not to be had is told before anything is touched', async () => {
    const before = await starts();
    await here.define(definition('9.9'));
    await here.done('render');
    const { status, stdout } = await here.task('patch', '--json');
    expect(status).toBe(20);
    expect(stdout).toContain('no available installation candidate for lab-tool=9.9');
    expect(await starts()).toEqual(before);
    expect(await outOfService()).toBe('');
  });
});

describe('a run that is cut while a node is drained', () => {
  test('leaves that node cordoned, with why', async () => {
    await pin('1.2');
    const running = here.begin('patch', '--json');
    await running.seen(
      (event) =>
        event.type === 'host-finished' && event.task === 'Drain the node' && event.host === 'worker1',
    );
    await here.done('cancel');
    expect((await running.ended).status).toBe(22);
    expect(await outOfService()).toContain('worker1:patch');
  });

  test('is taken up by the next one', async () => {
    await whole();
    await here.done('patch', '--json');
    expect(await versions()).toEqual(['1.2', '1.2', '1.2']);
    expect(await outOfService()).toBe('');
    expect(await readiness(lab, 'cp1')).toBe(allReady);
    expect(changes(await here.done('patch', '--check', '--json'))).toEqual({});
  });
});

describe('a machine that does not come back', () => {
  test('stops the rest, and what is safe next is told', async () => {
    await pin('1.3');
    power.broken.add('worker1');
    const words = ['worker1', 'worker2', '--set', 'patch_reboot_seconds=90', '--json'];
    const { status, stdout } = await here.task('patch', ...words);
    expect(status).toBe(20);
    expect(stdout).toContain(String.raw`worker1 did not come through \"Reboot\"`);
    expect(stdout).toContain('npx task patch takes it up and goes on');
    expect(await installed(lab, 'worker2')).toBe('1.2');
    expect(await outOfService()).toBe('worker1:patch');
  });

  test('is taken up once it has power again', async () => {
    power.broken.delete('worker1');
    await whole();
    const start = await startOf(lab, 'worker1');
    await here.done('patch', '--json');
    expect(await versions()).toEqual(['1.3', '1.3', '1.3']);
    expect(await startOf(lab, 'worker1')).toBe(start);
    expect(await outOfService()).toBe('');
  });

  test('is known by its name', async () => {
    const { status, stderr } = await here.task('patch', 'wroker1');
    expect(status).toBe(2);
    expect(stderr).toContain('wroker1');
  });
});

describe('etcd', () => {
  test('gives back what nobody uses, and says how much', async () => {
    await script(lab, 'cp1', 'fill-etcd.py', '20');
    const revision = /"Revision" : (\d+)/.exec(
      await etcdctl(lab, 'cp1', 'endpoint', 'status', '--write-out=fields'),
    );
    await etcdctl(lab, 'cp1', 'compaction', '--physical', revision?.[1] ?? '');
    const checked = await here.done('run', 'etcd-defragment', '--check', '--json');
    expect(checked.stdout).toMatch(/defragment cp1: \d+\.\d MB of \d+\.\d MB would be given back/);
    const done = await here.done('run', 'etcd-defragment', '--json');
    expect(done.stdout).toMatch(/defragmented cp1: \d+\.\d MB before, \d+\.\d MB after/);
    process.stderr.write(`${/defragmented cp1: [^"\\]*/.exec(done.stdout)?.[0] ?? ''}\n`);
    expect(changes(await here.done('run', 'etcd-defragment', '--json'))).toEqual({});
  });

  test('that has no space left takes writes again when that is asked for, and not before', async () => {
    await script(lab, 'cp1', 'fill-etcd.py', '100');
    expect(await etcdctl(lab, 'cp1', 'alarm', 'list')).toContain('NOSPACE');
    const write = ['kubectl', '--kubeconfig', '/etc/kubernetes/admin.conf', 'create', 'configmap', 'after'];
    expect((await exec(lab, 'cp1', write)).ok).toBe(false);
    const told = await here.done('run', 'etcd-defragment', '--json');
    expect(told.stdout).toContain('etcd_defragment_disarm=true compacts the history');
    expect(await etcdctl(lab, 'cp1', 'alarm', 'list')).toContain('NOSPACE');
    const cleared = await here.done(
      'run',
      'etcd-defragment',
      '--set',
      'etcd_defragment_disarm=true',
      '--json',
    );
    expect(cleared.stdout).toContain('disarmed the alarm NOSPACE of cp1');
    expect(await etcdctl(lab, 'cp1', 'alarm', 'list')).toBe('');
    await until('it is written again', async () => (await exec(lab, 'cp1', write)).ok);
    await until('all is well', async () => (await here.task('verify')).status === 0, 300);
  });
});
