import type { AnsibleInventory } from './inventory.ts';

/** What groups are called, by kubespray of any version and by others. Hyphens and underscores are the same. */
const words: Readonly<Record<GroupKind, readonly string[]>> = {
  controlPlane: [
    'kube_control_plane',
    'kube_master',
    'kube_masters',
    'control_plane',
    'control_planes',
    'controlplane',
    'controlplanes',
    'masters',
    'master',
    'controllers',
  ],
  worker: [
    'kube_node',
    'kube_nodes',
    'kube_worker',
    'kube_workers',
    'workers',
    'worker',
    'nodes',
    'node',
    'agents',
  ],
  etcd: ['etcd'],
  balancer: ['load_balancers', 'load_balancer', 'loadbalancers', 'loadbalancer', 'haproxy', 'lb', 'lbs'],
  bastion: ['bastion', 'bastions', 'jump', 'jumphosts'],
  reflector: ['calico_rr'],
};

/** Groups whose members a definition names otherwise, or that only hold others together. */
const others = ['all', 'ungrouped', 'k8s_cluster', 'no_floating'];

export const isKnownGroup = (group: string): boolean =>
  [...others, ...Object.values(words).flat()].includes(group.toLowerCase().replaceAll('-', '_'));

export type GroupKind = 'controlPlane' | 'worker' | 'etcd' | 'balancer' | 'bastion' | 'reflector';

export type Members = Readonly<Record<GroupKind, readonly string[]>>;

/** Who is in which kind of group; members keep the order of the inventory. */
export function membersOf(inventory: AnsibleInventory): Members {
  const of = (kind: GroupKind): readonly string[] => {
    const groups = inventory.groups.filter((group) =>
      words[kind].includes(group.toLowerCase().replaceAll('-', '_')),
    );
    return [...new Set(groups.flatMap(inventory.membersOf))];
  };
  return {
    controlPlane: of('controlPlane'),
    worker: of('worker'),
    etcd: of('etcd'),
    balancer: of('balancer'),
    bastion: of('bastion'),
    reflector: of('reflector'),
  };
}
