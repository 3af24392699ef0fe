import type { Cluster, Machine, Role } from '../../cluster/cluster.ts';
import { hasOldGroups } from '../../catalog/kubespray/features.ts';
import { minorOf } from '../../catalog/kubespray/releases.ts';

/** The names that a version gives its groups. */
export interface GroupNames {
  readonly controlPlane: string;
  readonly worker: string;
  readonly cluster: string;
  readonly routeReflector: string;
}

export const groupNames = (version: string): GroupNames =>
  hasOldGroups(minorOf(version))
    ? {
        controlPlane: 'kube-master',
        worker: 'kube-node',
        cluster: 'k8s-cluster',
        routeReflector: 'calico-rr',
      }
    : {
        controlPlane: 'kube_control_plane',
        worker: 'kube_node',
        cluster: 'k8s_cluster',
        routeReflector: 'calico_rr',
      };

/** A group as every version from v2.16 on reads it: with hosts, or with the groups that it is made of. */
export interface InventoryGroup {
  readonly name: string;
  readonly hosts: readonly string[];
  readonly children: readonly string[];
}

/**
 * Groups in the order of the definition, in which the first control plane begins the cluster. The union is written out
 * and the empty groups too, since some versions look for them and no version minds.
 */
export function kubesprayGroups({ machines, kubespray }: Cluster): readonly InventoryGroup[] {
  const names = groupNames(kubespray.version);
  const having = (role: Role): readonly string[] =>
    machines.filter(({ roles }) => roles.includes(role)).map(({ name }) => name);
  const of = (name: string, hosts: readonly string[]): InventoryGroup => ({ name, hosts, children: [] });
  return [
    of(names.controlPlane, having('control-plane')),
    of('etcd', having('etcd')),
    of(names.worker, having('worker')),
    of(names.routeReflector, []),
    {
      name: names.cluster,
      hosts: [],
      children: [names.controlPlane, names.worker, names.routeReflector],
    },
    // Recovery fills these; it asks for them even where they are empty.
    of('broken_kube_control_plane', []),
    of('broken_etcd', []),
  ];
}

/** The machines that kubespray is about: nodes, and hosts of etcd. */
export const kubesprayMachines = ({ machines }: Cluster): readonly Machine[] =>
  machines.filter(({ roles }) => roles.some((role) => ['control-plane', 'worker', 'etcd'].includes(role)));
