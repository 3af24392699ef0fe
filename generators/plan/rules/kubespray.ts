import type { Cluster } from '../../cluster/cluster.ts';
import { isBroughtByCluster } from '../../catalog/kubespray/features.ts';
import { minorOf, releases } from '../../catalog/kubespray/releases.ts';
import type { Change } from '../changes.ts';
import { lacksMarks, marking } from '../node-marks.ts';
import type { ChangeJudge, Meaning, Sides } from './meaning.ts';

const refusal = (why: string): Meaning => ({ kind: 'refused', why });
const cluster = { kind: 'phases', phases: [marking] } as const;

/** One tag after the other, as its documents ask; a tag of the same Kubernetes brings itself by cluster.yml. */
const version: ChangeJudge = ({ before = '', after = '' }, sides) => {
  if (after === '') return { kind: 'none', why: 'there is no kubespray' };
  if (before === '') return { kind: 'whole' };
  const [old, now] = [before, after].map((tag) => releases.findIndex((release) => release.tag === tag));
  if (old !== undefined && now !== undefined && now >= 0 && now < old)
    return refusal(
      'kubespray cannot go back to an older tag: change it back; a snapshot of etcd brings back what is stored, and no older programs',
    );
  if (minorOf(after) - minorOf(before) > 1)
    return refusal('kubespray cannot skip one of its minor versions: upgrade one at a time');
  return sides.before.kubernetes.version === sides.after.kubernetes.version ? cluster : { kind: 'upgrade' };
};

/** A member comes and goes with its machine. */
const member: ChangeJudge = ({ before, after }) =>
  before === undefined || after === undefined
    ? { kind: 'machine' }
    : refusal('a member of etcd keeps its name as long as it lives: restore the old one');

/** The same for a group or a machine; what is for one machine comes and goes with it. */
const scopedVariable: ChangeJudge = (change, sides) => {
  const [, scope = '', name = '', key = ''] = change.path;
  const isThere = ({ machines }: Cluster): boolean => machines.some((machine) => machine.name === name);
  return scope === 'hostVariables' && !(isThere(sides.before) && isThere(sides.after))
    ? { kind: 'none', why: 'it comes and goes with its machine' }
    : variable({ ...change, path: ['kubespray', 'variables', key] }, sides);
};

/** kubespray writes static pods of a running control plane in an upgrade alone: cluster.yml would change nothing. */
const variable: ChangeJudge = ({ path: [, , name = ''] }) => {
  const why = lasting[name];
  if (why !== undefined) return refusal(`${why}: change ${name} back, or recreate the cluster`);
  return isBroughtByCluster(name) ? cluster : { kind: 'upgrade' };
};

/** It gives a node what it is told and takes nothing away. */
export function markedByKubespray({ path, before, after }: Change, sides: Sides): Meaning {
  const [, name = '', field = ''] = path;
  const left = keysOf(after);
  const gone = keysOf(before).filter((key) => !left.includes(key));
  const stays = `kubespray takes nothing away: kubectl ${field === 'labels' ? 'label' : 'taint'} nodes ${name} ${gone.map((key) => `${key}-`).join(' ')}`;
  if (lacksMarks(sides.before, sides.after)) return gone.length === 0 ? cluster : { ...cluster, note: stays };
  return { kind: 'none', why: gone.length === 0 ? 'a node has no order of them' : stays };
}

const keysOf = (marks = '[]'): readonly string[] =>
  (JSON.parse(marks) as readonly { readonly key: string; readonly effect?: string }[]).map(
    ({ key, effect }) => (effect === undefined ? key : `${key}:${effect}`),
  );

const ofNetwork = 'nodes and pods that are there keep what they got of it';
const ofMembers = 'members of etcd stay where and what they are';

/** What neither cluster.yml nor an upgrade of kubespray changes where a cluster is, by variable. */
const lasting: Readonly<Record<string, string>> = {
  kube_network_node_prefix: ofNetwork,
  kube_network_node_prefix_ipv6: ofNetwork,
  cluster_name: 'names of Services and certificates hold the domain',
  dns_domain: 'names of Services and certificates hold the domain',
  etcd_deployment_type: ofMembers,
  etcd_data_dir: ofMembers,
  calico_datastore: ofNetwork,
};

/** What a changed key of `installer.kubespray` means for hosts that have the old value. */
export const kubesprayRules: readonly (readonly [key: string, meaning: Meaning | ChangeJudge])[] = [
  ['kubespray', cluster],
  ['kubespray.version', version],
  ...['source', 'tree', 'venv', 'python', 'wheels'].map(
    (key) =>
      [
        `kubespray.${key}`,
        { kind: 'none', why: 'it is only where the Ansible server has kubespray' },
      ] as const,
  ),
  [
    'kubespray.networkPlugin',
    refusal('running pods have the network of the plugin: change it back, or recreate the cluster'),
  ],
  [
    'kubespray.containerManager',
    refusal(
      'kubespray changes the container manager of no running node: change it back, or replace the nodes',
    ),
  ],
  ['kubespray.etcdMembers', member],
  ['kubespray.variables', variable],
  ['kubespray.groupVariables', scopedVariable],
  ['kubespray.hostVariables', scopedVariable],
  ['kubespray.certificateSans', { kind: 'upgrade' }],
];
