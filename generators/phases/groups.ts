import type { Cluster, Role } from '../cluster/cluster.ts';
import type { HostsByGroup } from '../outline/hosts.ts';

/** Who has answered in a run, and whose mark is ours: empty groups of every inventory, which the run itself fills. */
export const reachedGroup = { reached: { hosts: {} }, owned: { hosts: {} } } as const;

/** Nodes that run, and whose containerd is brought one at a time: a run fills it as well. */
export const rolledGroup = { containerd_rolled: { hosts: {} } } as const;

/** Groups as kubespray names them, and ours: who is in each. A group without a member is left out. */
export function clusterGroups({ machines, endpoint }: Cluster): HostsByGroup {
  const having = (role: Role): string[] =>
    machines.filter(({ roles }) => roles.includes(role)).map(({ name }) => name);
  const controlPlanes = having('control-plane');
  const workers = having('worker');
  const groups: readonly (readonly [group: string, names: readonly string[]])[] = [
    ['all', machines.map(({ name }) => name)],
    ['kube_control_plane', controlPlanes],
    ['etcd', having('etcd')],
    ['kube_node', workers],
    ['load_balancers', endpoint.balancers.map(({ name }) => name)],
    ['external_load_balancers', having('external-load-balancer')],
    ['storage_servers', having('storage')],
    ['k8s_cluster', [...new Set([...controlPlanes, ...workers])]],
  ];
  return new Map(groups.filter(([, names]) => names.length > 0));
}
