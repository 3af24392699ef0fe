import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { down, faults, type Lab } from '../../../lab/index.ts';
import { standInForKubespray, standInTree, tree } from '../../support/hosts/kubespray/kubespray-lab.ts';
import { definitionOf, must, on, raiseLab } from '../../support/hosts/lab.ts';
import { project, recapOf, type Ended, type Project } from '../../support/project.ts';

const name = 'kubespray';
const version = 'v2.28.1';
let lab: Lab;
let here: Project;

/** The lab's cluster, installed by a stand-in for kubespray: three control planes and the workers that are named. */
const definition = (...workers: readonly string[]): string => definitionAt('1.32.5', ...workers);

const definitionAt = (kubernetes: string, ...workers: readonly string[]): string =>
  without(
    definitionOf(lab),
    ['worker1', 'worker2'].filter((each) => !workers.includes(each)),
  ).replace(
    /^nodes:/m,
    `installer: { kubespray: { version: ${version}, kubernetes: ${kubernetes}, path: ${tree}, tree: ${standInTree()}, variables: { from_definition: passed on } } }\nnodes:`,
  );

/** Without the entries of some machines. */
const without = (text: string, names: readonly string[]): string =>
  names.reduce(
    (rest, each) => rest.replace(new RegExp(`^  - name: ${each}\\n(?: {4}.*\\n)*`, 'm'), ''),
    text,
  );

/** What the stand-in wrote down since the last time, a line a host. */
async function noted(entry: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const record = `/home/ops/playsmith/kept/${name}/kubespray/called-${entry}`;
  const text = await on(lab, 'ansible', 'sh', '-c', `cat ${record} 2>/dev/null; rm -f ${record}`);
  return text === ''
    ? []
    : text.split('\n').map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

const hostsOf = async (entry: string): Promise<readonly unknown[]> =>
  (await noted(entry)).map(({ host }) => host).sort();

const done = (ended: Ended): void => {
  expect(ended.status, ended.said).toBe(0);
};

beforeAll(async () => {
  lab = await raiseLab(name, { workers: 2 });
  await standInForKubespray(lab, version);
  here = await project(definition('worker1'));
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

describe('kubespray between our own phases', () => {
  test('doctor sees the checkout and judges its Ansible', async () => {
    done(await here.task('render'));
    const ended = await here.task('doctor');
    expect(ended.stdout).toMatch(/kubespray +v2\.28\.1 at \/opt\/kubespray/);
    expect(ended.stdout).toMatch(/Ansible of v2\.28\.1 +2\.14/);
  });

  test('instantiate balances the API, calls cluster.yml for every node, and verifies', async () => {
    const ended = await here.task('run', '--json');
    done(ended);
    const all = await noted('cluster');
    expect(all.map(({ host }) => host).sort()).toEqual(['cp1', 'cp2', 'cp3', 'worker1']);
    expect(all[0]).toMatchObject({ extra: 'passed on', first: 'cp1' });
    expect(all.find(({ host }) => host === 'cp2')).toMatchObject({ member: 'etcd-cp2' });
    expect(Object.keys(recapOf(ended).recap).sort()).toEqual(['cp1', 'cp2', 'cp3', 'worker1']);
    expect(recapOf(ended)).toMatchObject({
      results: { kubespray: `kubespray ${version}: tree ${standInTree()}` },
    });
    expect(await on(lab, 'cp1', 'systemctl', 'is-active', 'haproxy', 'keepalived')).toBe('active\nactive');
  });

  test('scale-out gathers facts of all and takes in the target alone', async () => {
    await here.define(definition('worker1', 'worker2'));
    done(await here.task('render'));
    done(await here.task('scale-out', 'worker2'));
    expect(await hostsOf('facts')).toEqual(['cp1', 'cp2', 'cp3', 'worker1', 'worker2']);
    expect(await noted('scale')).toMatchObject([{ host: 'worker2', limit: 'worker2' }]);
    expect(await hostsOf('cluster')).toEqual([]);
  });

  test('heal-node leaves a node alone that is well, and makes one anew that is not', async () => {
    done(await here.task('heal-node', 'worker2'));
    expect(await hostsOf('remove-node')).toEqual([]);
    done(await here.task('heal-node', 'worker2', '--set', 'kubespray_node_preflight_recreate=true'));
    expect(await noted('remove-node')).toMatchObject([
      { host: 'worker2', node: 'worker2', answers: [true, '', true, true] },
    ]);
    await noted('scale');
    done(await here.task('heal-node', 'cp1', '--set', 'kubespray_node_preflight_recreate=true'));
    const recovered = await noted('recover-control-plane');
    expect(recovered.map(({ host }) => host).sort()).toEqual(['cp1', 'cp2', 'cp3']);
    expect(recovered[0]).toMatchObject({ first: 'cp2' });
  });

  test('replace-node takes the old machine out before the new one comes in', async () => {
    done(await here.task('replace-node', 'worker2', '--confirm', 'worker2'));
    expect(await noted('remove-node')).toMatchObject([{ host: 'worker2', node: 'worker2' }]);
    expect(await noted('scale')).toMatchObject([{ host: 'worker2', limit: 'worker2' }]);
    expect(await hostsOf('recover-control-plane')).toEqual([]);
  });

  test('scale-in forgets a node that does not answer, without asking it', async () => {
    must(await faults.power.inject(lab, { host: 'worker2' }));
    const ended = await here.task('scale-in', 'worker2', '--confirm', 'worker2');
    done(ended);
    expect(ended.said).toContain('worker2 does not answer, so it is not cleaned up: reinstall or wipe it');
    must(await faults.power.undo(lab, { host: 'worker2' }));
    expect(await noted('remove-node')).toMatchObject([{ host: 'worker2', answers: [true, '', false, true] }]);
    expect(await on(lab, 'cp1', 'sh', '-c', 'ls /var/tmp/node-*')).not.toContain('node-worker2');
  });

  test('what kubespray cannot do is refused before anything is run', async () => {
    const ended = await here.task('scale-in', 'cp1', '--confirm', 'cp1');
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain('cp1 is the first control plane, which kubespray cannot take out');
  });

  test('upgrade gathers facts of all, then brings every node to the version of the definition', async () => {
    await noted('facts');
    await here.define(definitionAt('1.32.8', 'worker1'));
    done(await here.task('render'));
    done(await here.task('upgrade'));
    const all = ['cp1', 'cp2', 'cp3', 'worker1'];
    expect(await hostsOf('facts')).toEqual(all);
    const upgraded = await noted('upgrade-cluster');
    expect(upgraded.map(({ host }) => host).sort()).toEqual(all);
    expect(upgraded[0]).toMatchObject({ serial: '1', limit: '' });
    expect(await on(lab, 'cp1', 'sh', '-c', 'cat /var/tmp/node-* | sort -u')).toBe('v1.32.8');
  });

  test('heal-cluster takes everything away and installs it anew', async () => {
    done(await here.task('heal-cluster', '--confirm', name));
    const all = ['cp1', 'cp2', 'cp3', 'worker1'];
    expect(await hostsOf('reset')).toEqual(all);
    expect(await hostsOf('cluster')).toEqual(all);
    expect(await on(lab, 'cp1', 'systemctl', 'is-active', 'haproxy', 'keepalived')).toBe('active\nactive');
  });

  test('terminate calls reset.yml, whose record outlives what kubespray kept', async () => {
    const ended = await here.task('terminate', '--confirm', name, '--json');
    done(ended);
    expect(recapOf(ended)).toMatchObject({
      results: { kubespray: `kubespray ${version}: tree ${standInTree()}` },
    });
    expect(await noted('reset')).toEqual([]);
  });
});
