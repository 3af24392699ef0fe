import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { pack } from '../../../generators/bundle.ts';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { load } from '../../../generators/load.ts';
import { nothingApplied, type AppliedState } from '../../../generators/plan/applied.ts';
import { planOf, type Plan } from '../../../generators/plan/plan.ts';
import { digestsOf, snapshotOf, type Snapshot } from '../../../generators/plan/snapshot.ts';
import { render } from '../../../generators/render.ts';
import { filesBeside } from '../../support/definitions/files-beside.ts';
import {
  knownLeaves,
  leafChanges,
  type LeafChange,
  type OtherValues,
  type Plain,
  type PlainPath,
} from '../../support/definitions/leaves.ts';
import { templates } from '../../support/definitions/templates.ts';

const folder = join(import.meta.dirname, '../../../examples');

const readExample = (name: string): Plain =>
  parse(readFileSync(join(folder, `${name}.yml`), 'utf8')) as Plain;

function clusterOf(definition: Plain): Cluster | string {
  const text = JSON.stringify(definition);
  try {
    const loaded = load(text, 'cluster.yml', filesBeside(text, folder));
    return loaded.ok
      ? loaded.value.cluster
      : loaded.failure.map(({ path, message }) => `${path}: ${message}`).join('; ');
  } catch (error) {
    return String(error);
  }
}

const snapshot = (cluster: Cluster): Snapshot =>
  snapshotOf(cluster, pack(cluster, render(cluster, templates)), 'now');

/** What is on the hosts once all of that is brought. */
function applied(wanted: Snapshot): AppliedState {
  const { cluster } = wanted;
  return {
    ...nothingApplied,
    whole: { bundle: wanted.bundle, made: wanted.made, cluster },
    phases: digestsOf(wanted),
    members: Object.fromEntries(cluster.machines.map((machine) => [machine.name, machine])),
    version: cluster.kubernetes.version,
    cnfs: Object.fromEntries(
      Object.entries(wanted.cnfs ?? {}).map(([name, cnf]) => [name, { ...cnf, isUp: true }]),
    ),
  };
}

/** What a plan does about one change: steps, `refused`, or `nothing` with a reason; empty: nobody hears of it. */
function outcome({ steps, refused, unneeded }: Plan): string {
  if (refused.length > 0) return 'refused';
  const brought = steps.map(({ operation }) => operation).filter((name) => name !== 'verify');
  if (brought.length > 0) return [...new Set(brought)].map((name) => `\`${name}\``).join(', ');
  return unneeded.some((line) => !line.endsWith('nothing on a host has to change for it')) ? 'nothing' : '';
}

/** A definition, and the parts of it that are changed; what stands elsewhere as well is changed there. */
interface Subject {
  readonly definition: Plain;
  readonly roots: readonly PlainPath[];
}

const full = readExample('full') as Readonly<Record<string, Plain>>;
const sha256 = 'ab'.repeat(32);

const withPlugin = (plugin: Plain): Plain => ({
  ...full,
  network: { ...(full['network'] as Readonly<Record<string, Plain>>), plugin },
});

/** The same definition with one text in place of another, wherever it stands. */
const renamed =
  (...pairs: readonly (readonly [before: string, after: string])[]) =>
  (definition: Plain): Plain =>
    JSON.parse(
      pairs.reduce((text, [before, after]) => text.replaceAll(before, after), JSON.stringify(definition)),
    ) as Plain;

const vrrp3 = renamed(
  ['"vrrpVersion":2', '"vrrpVersion":3'],
  [
    ',"password":{"vault":{"file":"secrets.vault.yml","key":"keepalived_password","password":{"env":"VAULT_PASSWORD"}}}',
    '',
  ],
  [',"password":{"env":"EXTERNAL_KEEPALIVED_PASSWORD"}', ''],
);
const fast = (definition: Plain): Plain =>
  renamed(
    ['"failover":"standard"', '"failover":"fast"'],
    ['"advertisementInterval":"1s"', '"advertisementInterval":"200ms"'],
  )(vrrp3(definition));

const kubespray = readExample('kubespray');

const subjects: readonly Subject[] = [
  { definition: full, roots: Object.keys(full).map((key) => [key]) },
  {
    definition: renamed(['"level":"metadata"', '"rules":[{"level":"Metadata"}]'])(full),
    roots: [['installer', 'kubeadm', 'audit', 'rules']],
  },
  {
    definition: renamed([
      '{"privateKey":"~/.ssh/id_ed25519","passphrase":{"env":"KEY_PASSPHRASE"}}',
      '{"password":{"env":"PASSWORD"}}',
    ])(full),
    roots: [['ansibleServer', 'auth', 'password']],
  },
  {
    definition: withPlugin({
      flannel: {
        version: '0.28.9',
        backend: 'vxlan',
        cniPlugin: 'v1.9.1-flannel1',
        imageRepository: 'ghcr.io/flannel-io',
      },
    }),
    roots: [['network', 'plugin']],
  },
  {
    definition: withPlugin({
      calico: {
        version: '3.32.3',
        url: 'https://mirror.example.org/calico.yaml',
        sha256,
        encapsulation: 'vxlan',
      },
    }),
    roots: [['network', 'plugin']],
  },
  {
    definition: renamed(['"name":"master01",', '"name":"master01","vrrpPriority":120,'])(
      readExample('ha-stacked'),
    ),
    roots: [['nodes', 0, 'vrrpPriority']],
  },
  { definition: readExample('offline'), roots: [['offline']] },
  { definition: kubespray, roots: [['installer', 'kubespray']] },
  {
    definition: renamed(
      [
        '"git":"https://github.com/kubernetes-sigs/kubespray.git"',
        '"path":"/opt/kubespray","commit":"a20891ab67136f8c92ccad3fad9ad11fc71363d0","wheels":"/srv/wheels","containerManager":"containerd","upgrade":{"workersAtOnce":2},"etcdMembers":{"master01":"etcd1"},"groupVariables":{"kube_node":{"kubelet_max_pods":250}},"hostVariables":{"worker01":{"kubelet_max_pods":50}}',
      ],
      ['"renewal":{"automatic":true}', '"renewal":{"automatic":true,"calendar":"Mon *-*-1..7 03:00:00"}'],
    )(kubespray),
    roots: [['installer', 'kubespray']],
  },
];

/** Values that are sound where they stand. */
const others: OtherValues = {
  review: ['optional'],
  'ansibleServer.ansible.venv.ansibleCore': ['2.17.13'],
  'installer.kubeadm.backup.encryptTo[]': [
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R/rGki6T+Vb4BMpf3PZzZ3P+ldk4MJKR8K07W36',
  ],
  'installer.kubeadm.backup.copies[].s3.allowHttp': renamed(
    ['http://192.0.2.9:9000', 'https://192.0.2.9:9000'],
    ['"allowHttp":true,', ''],
  ),
  'installer.kubeadm.kubeProxy': ['iptables'],
  'installer.kubeadm.audit.rules[]': ['None'],
  'installer.kubespray.kubernetes': ['1.32.7'],
  'installer.kubespray.containerManager': ['crio'],
  'network.nodeSubnet': ['192.0.0.0/16'],
  'network.plugin.calico.sha256': ['cd'.repeat(32)],
  'controlPlaneEndpoint.address': ['192.0.2.81/24'],
  'controlPlaneEndpoint.loadBalancer.placement.hosts[]': renamed(['["lb01","lb02"]', '["lb01","storage01"]']),
  'controlPlaneEndpoint.loadBalancer.keepalived.failover': fast,
  'controlPlaneEndpoint.loadBalancer.keepalived.vrrpVersion': vrrp3,
  'nodes[].roles[]': renamed([
    '"name":"master01","roles":["control-plane","etcd"]',
    '"name":"master01","roles":["control-plane","etcd","worker"]',
  ]),
  'nodes[].address': ['192.0.2.14'],
  'nodes[].secondaryAddress': ['2001:db8::14'],
  'hosts[].name': renamed(['"lb01"', '"lb09"']),
  'hosts[].address': ['192.0.2.34'],
  'storage.host': ['lb02'],
  'storage.volumes[].device': renamed(['"/dev/vdb"', '"/dev/vdc"']),
  'storage.volumes[].forceFormat.device': renamed(['"/dev/vdb"', '"/dev/vdc"']),
  'storage.volumes[].mountTo': renamed(['"/volume', '"/volumes']),
  'storage.exports[].path': renamed(['/volume/nfs/pv1', '/volume/nfs/pv9']),
  'storage.exports[].options[]': renamed(['["rw","sync"', '["ro","sync"']),
  'storage.exports[].owner.mode': ['0750'],
  'storage.persistentVolumes[].export': ['/archive/own'],
  'externalLoadBalancer.hosts[]': renamed(['"elb02"', '"elb03"']),
  'externalLoadBalancer.keepalived.failover': fast,
  'externalLoadBalancer.keepalived.vrrpVersion': vrrp3,
  'drills.window.from': ['23:00'],
  'drills.window.to': ['03:00'],
};

/** What is not changed here, and why. */
const elsewhere: readonly RegExp[] = [
  // It says which form the rest has.
  /^(?:apiVersion|kind)$/,
  // The only value that is allowed there.
  /^externalLoadBalancer\.services\[\]\.protocol$/,
  /^ansibleServer\.auth\.agent$/,
  // They go with others that are changed: the list form of a key, another form of it, or what a file beside it holds.
  /^storage\[\]/,
  /^network\.nodeSubnet\[\]$/,
  /^hosts\[\]\.ssh\.hostKey\[\]$/,
  /^installer\.kubespray\.(?:tree|archive|offline)/,
  /^(?:storage|externalLoadBalancer|cnfs\[\])\.manifests\[\]$/,
  /^installer\.kubeadm\.externalCloudProvider\.manifests/,
  /^cnfs\[\]\.(?:helm|publish\[\]\.service|scaling\[\]\.(?:kind|name)|wait\.conditions\[\]\.(?:kind|name))/,
  /^externalLoadBalancer\.script\./,
  /^network\.plugin\.(?:calico\.manifest|cilium\.chart)/,
  // A version beside its address is what a person calls it: the checksum says what it is.
  /^containerd\.archive\.runc\.version$|^network\.plugin\.cilium\.helm\.version$/,
  // Only checks read it.
  /^cnfs\[\]\.customKinds/,
];

const isElsewhere = (key: string): boolean => elsewhere.some((pattern) => pattern.test(key));

/** The first form of a change that is a sound definition of another cluster. */
function soundForm({ definitions }: LeafChange): Cluster | readonly string[] {
  const faults: string[] = [];
  for (const definition of definitions) {
    const cluster = clusterOf(definition);
    if (typeof cluster !== 'string') return cluster;
    faults.push(cluster);
  }
  return faults;
}

function outcomes(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { definition, roots } of subjects) {
    const before = clusterOf(definition);
    if (typeof before === 'string') throw new Error(before);
    const state = applied(snapshot(before));
    for (const change of roots.flatMap((root) => leafChanges(definition, root, others))) {
      const name = `${change.key} ${change.how}`;
      if (found.has(name) || isElsewhere(change.key)) continue;
      const cluster = soundForm(change);
      if ('name' in cluster) found.set(name, outcomeOf(cluster, { before, state, change }));
      else if (change.how === 'changed') found.set(name, `no sound form: ${cluster.join(' | ')}`);
    }
  }
  return found;
}

interface Compared {
  readonly before: Cluster;
  readonly state: AppliedState;
  readonly change: LeafChange;
}

/** What holds without a key may be what it said. */
const outcomeOf = (after: Cluster, { before, state, change }: Compared): string =>
  change.how === 'left out' && JSON.stringify(after) === JSON.stringify(before)
    ? 'the same'
    : outcome(planOf({ applied: state, wanted: snapshot(after) }));

const told = outcomes();
const keys = [...new Set([...told.keys()].map((name) => name.replace(/ (?:changed|left out)$/, '')))];

test('no key of a definition can be changed without a step, a refusal or a reason', () => {
  expect([...told].filter(([, what]) => what === '' || what.startsWith('no sound form'))).toEqual([]);
});

test('every leaf that the schema knows is changed', () => {
  const isTold = (key: string): boolean =>
    [...told.keys()].some(
      (name) => name === `${key} changed` || name.startsWith(`${key}.`) || name.startsWith(`${key}[]`),
    );
  expect(knownLeaves().filter((key) => !isElsewhere(key) && !isTold(key))).toEqual([]);
});

// Write it anew with: npm run goldens
test('the committed page of changes is what the plan says', async () => {
  const cell = (key: string, how: LeafChange['how']): string => told.get(`${key} ${how}`) ?? '';
  const rows = keys.map((key) => `| \`${key}\` | ${cell(key, 'changed')} | ${cell(key, 'left out')} |`);
  await expect([head, ...rows, ''].join('\n')).toMatchFileSnapshot('../../../docs/reference/changes.md');
});

const head = `# What a change of a key does to a running cluster

\`npx task plan\` says it with its reasons; this is what it says when one key of [examples/full.yml](../../examples/full.yml), or of a definition
with what cannot stand beside that, gets another value or is left out and nothing else. In the cells are the steps that bring it; \`verify\`,
which follows every change, is not repeated.

- **refused**: what runs cannot be changed so; the plan says what would be lost and what to do instead.
- **nothing**: no host has to hear of it; the plan says why, and which task does where one does.
- **the same**: what holds without the key is what it says there.
- An empty cell: the key cannot be left out, or not by itself.

This page is written by the test that finds every key which could be changed without anybody hearing of it.

| key | another value | left out |
| --- | --- | --- |`;
