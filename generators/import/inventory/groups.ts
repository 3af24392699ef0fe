import type { AnsibleInventory } from './inventory.ts';

/**
 * What groups are called: by kubespray of any version, then by others. Names of a later row count only where no group has one
 * of an earlier row: beside `kube_node`, a group `nodes` may hold anything. Hyphens and underscores are the same.
 */
const words: Readonly<Record<GroupKind, readonly (readonly string[])[]>> = {
  controlPlane: [
    ['kube_control_plane', 'kube_master'],
    [
      'kube_masters',
      'control_plane',
      'control_planes',
      'controlplane',
      'controlplanes',
      'masters',
      'master',
      'controllers',
    ],
  ],
  worker: [
    ['kube_node'],
    ['kube_nodes', 'kube_worker', 'kube_workers', 'workers', 'worker', 'agents'],
    ['nodes', 'node'],
  ],
  etcd: [['etcd']],
  balancer: [['load_balancers', 'load_balancer', 'loadbalancers', 'loadbalancer', 'haproxy', 'lb', 'lbs']],
  bastion: [['bastion', 'bastions', 'jump', 'jumphosts']],
  reflector: [['calico_rr']],
};

const kinds = ['controlPlane', 'worker', 'etcd', 'balancer', 'bastion', 'reflector'] as const;

/** Groups whose members a definition names otherwise, or that only hold others together. */
const others = ['all', 'ungrouped', 'k8s_cluster', 'no_floating'];

const plainName = (group: string): string => group.toLowerCase().replaceAll('-', '_');

/** Groups that mean nothing to a definition. */
export function strangeGroups(inventory: AnsibleInventory): readonly string[] {
  const known = new Set(kinds.flatMap((kind) => groupsOf(kind, inventory)));
  return inventory.groups.filter((group) => !known.has(group) && !others.includes(plainName(group)));
}

/** The groups of a kind, by the plainest names that a group with members has. */
function groupsOf(kind: GroupKind, { groups, membersOf: hostsOf }: AnsibleInventory): readonly string[] {
  const isOf = (names: readonly string[]) => (group: string) => names.includes(plainName(group));
  const isUsed = (group: string): boolean => hostsOf(group).length > 0;
  const row = words[kind].find((names) => groups.filter(isOf(names)).some(isUsed));
  return groups.filter(isOf(row ?? words[kind].flat()));
}

export type GroupKind = (typeof kinds)[number];

export type Members = Readonly<Record<GroupKind, readonly string[]>>;

/** Who is in which kind of group; members keep the order of the inventory. */
export function membersOf(inventory: AnsibleInventory): Members {
  const of = (kind: GroupKind): readonly string[] => [
    ...new Set(groupsOf(kind, inventory).flatMap(inventory.membersOf)),
  ];
  return {
    controlPlane: of('controlPlane'),
    worker: of('worker'),
    etcd: of('etcd'),
    balancer: of('balancer'),
    bastion: of('bastion'),
    reflector: of('reflector'),
  };
}
