import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseDocument } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describe as describeLab, down, faults, type Lab } from '../../lab/index.ts';
import { leader, members } from '../support/hosts/etcd.ts';
import { kubectl, longestWait, readiness, startWriter, stopWriter } from '../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab, until } from '../support/hosts/lab.ts';
import { planned, project, type Project } from '../support/project.ts';

const name = 'moves';
let lab: Lab;
let here: Project;

interface Node {
  readonly name: string;
  readonly roles?: readonly string[];
}

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, workers: 4, volumes: [{ megabytes: 64 }] });
  here = await project(definitionOf(lab));
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

/** Defines those nodes of the lab alone; `cp2: 'worker3'` is the machine of worker3 under the name and in the place of cp2. */
async function defined(machines: Readonly<Record<string, string>>): Promise<void> {
  const document = parseDocument(definitionOf(lab));
  const { nodes } = document.toJS() as { readonly nodes: readonly Node[] };
  const found = (wanted: string): Node | undefined => nodes.find((node) => node.name === wanted);
  const wanted = Object.entries(machines).map(([own, machine]) => {
    const { roles } = found(own) ?? {};
    return { ...found(machine), name: own, ...(roles === undefined ? {} : { roles }) };
  });
  document.set('nodes', document.createNode(wanted));
  await here.define(document.toString());
  await here.done('render');
}

const addressOf = (host: string): string =>
  describeLab(lab).hosts.find((each) => each.name === host)?.address ?? '';

/** Where the cluster itself thinks that a node is. */
const nodeAddress = (node: string): Promise<string> =>
  kubectl(
    lab,
    'cp1',
    'get',
    'node',
    node,
    '-o',
    'jsonpath={.status.addresses[?(@.type=="InternalIP")].address}',
  );

/** What the last run told, as it was written down here. */
async function lastEvents(): Promise<string> {
  const folder = join(here.folder, '.playsmith/runs', name);
  const [last = ''] = (await readdir(folder)).toSorted().toReversed();
  return gunzipSync(await readFile(join(folder, last, 'events.ndjson.gz'))).toString();
}

/** Does something while a client writes through the virtual address: nothing that was accepted may be lost. */
async function whileWriting(what: string, work: () => Promise<unknown>): Promise<void> {
  const kubeconfig = await readFile(join(here.folder, '.playsmith', name, 'kubeconfig'), 'utf8');
  await startWriter(lab, kubeconfig, what);
  await work();
  const writes = await stopWriter(lab);
  process.stderr.write(`${what}: the longest wait of a writer was ${longestWait(writes).toFixed(1)} s\n`);
  const kept = (await kubectl(lab, 'cp1', 'get', 'configmaps', '--output', 'name')).split('\n');
  expect(writes.filter((write) => !kept.includes(`configmap/${write.name}`))).toEqual([]);
}

async function switchedOff(host: string, node = host): Promise<void> {
  must(await faults.power.inject(lab, { host }));
  await until(
    `${node} is silent`,
    async () => (await readiness(lab, 'cp1')).includes(`${node}=Unknown`),
    120,
  );
}

describe('control planes, by plan', () => {
  test('two come to the one that was there, and a client goes on', async () => {
    await defined({ cp1: 'cp1', worker1: 'worker1' });
    await here.done('apply', '--yes', '--json');
    await here.done('kubeconfig');
    await defined({ cp1: 'cp1', cp2: 'cp2', cp3: 'cp3', worker1: 'worker1' });
    expect(await planned(here)).toEqual(['instantiate']);
    await whileWriting('from-one-to-three', () => here.done('apply', '--yes', '--json'));
    expect(await readiness(lab, 'cp1')).toBe('cp1=True cp2=True cp3=True worker1=True');
    expect(await planned(here)).toEqual([]);
  });

  test('the one that leads etcd hands that over before it is recreated', async () => {
    const host = await leader(lab);
    await whileWriting('the-leader-anew', () =>
      here.done('heal-node', host, '--set', 'node_preflight_recreate=true', '--json'),
    );
    expect(await lastEvents()).toContain('handed the lead of etcd over to');
    expect(await readiness(lab, 'cp1')).toBe('cp1=True cp2=True cp3=True worker1=True');
    expect(await members(lab)).toHaveLength(3);
  });

  test('one whose machine died goes on another machine, at another address', async () => {
    await switchedOff('cp2');
    await defined({ cp1: 'cp1', cp2: 'worker3', cp3: 'cp3', worker1: 'worker1' });
    expect((await planned(here))[0]).toBe('replace-node cp2');
    expect((await here.task('apply', '--yes')).status).toBe(2);
    await whileWriting('another-address', () => here.done('apply', '--yes', '--confirm', 'cp2', '--json'));
    expect(await readiness(lab, 'cp1')).toBe('cp1=True cp2=True cp3=True worker1=True');
    expect(await nodeAddress('cp2')).toBe(addressOf('worker3'));
    expect(await members(lab)).toEqual(
      Object.entries({ cp1: 'cp1', cp2: 'worker3', cp3: 'cp3' }).map(
        ([member, host]) => `${member} https://${addressOf(host)}:2380`,
      ),
    );
    for (const host of ['cp1', 'cp3', 'worker3']) {
      expect(
        await on(lab, host, 'grep', '-c', `${addressOf('cp2')}:`, '/etc/haproxy/haproxy.cfg').catch(
          () => '0',
        ),
      ).toBe('0');
      expect(
        await on(lab, host, 'grep', '-o', `${addressOf('worker3')}:6443`, '/etc/haproxy/haproxy.cfg'),
      ).not.toBe('');
    }
    expect(await planned(here)).toEqual([]);
  });

  test('two leave again, one after the other, and none is left behind in etcd', async () => {
    await defined({ cp1: 'cp1', worker1: 'worker1' });
    expect((await planned(here)).slice(0, 2).toSorted()).toEqual(['scale-in cp2', 'scale-in cp3']);
    await whileWriting('from-three-to-one', () =>
      here.done('apply', '--yes', '--confirm', 'cp2', '--confirm', 'cp3', '--json'),
    );
    expect(await readiness(lab, 'cp1')).toBe('cp1=True worker1=True');
    expect(await members(lab)).toEqual([`cp1 https://${addressOf('cp1')}:2380`]);
    expect(await planned(here)).toEqual([]);
  });
});

describe('workers, by plan', () => {
  test('one that died goes on at another address, one that lives is refused to, until it is off', async () => {
    await defined({ cp1: 'cp1', worker1: 'worker2' });
    expect((await planned(here))[0]).toBe('replace-node worker1');
    const refused = await here.task('apply', '--yes', '--confirm', 'worker1');
    expect(refused.status, refused.said).toBe(20);
    expect(await nodeAddress('worker1')).toBe(addressOf('worker1'));
    await switchedOff('worker1');
    await here.done('apply', '--yes', '--confirm', 'worker1', '--json');
    expect(await readiness(lab, 'cp1')).toBe('cp1=True worker1=True');
    expect(await nodeAddress('worker1')).toBe(addressOf('worker2'));
    expect(await planned(here)).toEqual([]);
  });
});

describe('the storage server', () => {
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'shared' },
    spec: {
      accessModes: ['ReadWriteMany'],
      storageClassName: '',
      volumeName: 'pv1',
      resources: { requests: { storage: '50Mi' } },
    },
  };
  const claimed = (): Promise<string> =>
    on(
      lab,
      'cp1',
      ...[
        'sh',
        '-c',
        `echo '${JSON.stringify(claim)}' | kubectl --kubeconfig /etc/kubernetes/admin.conf apply -f -`,
      ],
    );
  const phase = (): Promise<string> =>
    kubectl(lab, 'cp1', 'get', 'persistentvolume', 'pv1', '--output', 'jsonpath={.status.phase}');

  test('is not built anew while a claim has its volume', async () => {
    await claimed();
    await until('it is bound', async () => (await phase()) === 'Bound');
    await on(lab, 'storage1', 'sh', '-c', 'echo precious > /volume/pv1/kept');
    const refused = await here.task('heal-storage', '--confirm', name);
    expect(refused.status, refused.said).toBe(20);
    expect(refused.stdout + refused.stderr).toContain('In use by claims: pv1');
    expect(await phase()).toBe('Bound');
    await kubectl(lab, 'cp1', 'delete', 'persistentvolumeclaim', 'shared');
  });

  test('is built anew with the data that its volume has, and the volume can be claimed again', async () => {
    await on(
      lab,
      'storage1',
      ...[
        'sh',
        '-c',
        'systemctl stop nfs-ganesha; umount /volume; rm -rf /etc/ganesha/* /etc/exports.d; sed -i "/volume/d" /etc/fstab',
      ],
    );
    const healed = await here.done('heal-storage', '--confirm', name, '--json');
    expect(healed.said).not.toContain('formatted');
    expect(await on(lab, 'storage1', 'cat', '/volume/pv1/kept')).toBe('precious');
    await until('it is free', async () => (await phase()) === 'Available');
    await claimed();
    await until('it is bound', async () => (await phase()) === 'Bound');
    expect(await planned(here)).toEqual([]);
  });
});
