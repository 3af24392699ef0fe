import type { Fleet, FleetRole } from '../../cluster/cluster.ts';
import type { HostsByGroup } from '../../outline/hosts.ts';

/** All nodes of the mesh, and those of each role. A group without a member is left out. */
export function fleetGroups({ nodes }: Fleet): HostsByGroup {
  const having = (role: FleetRole): string[] =>
    nodes.filter((node) => node.role === role).map(({ name }) => name);
  const all = nodes.map(({ name }) => name);
  const groups: readonly (readonly [group: string, names: readonly string[]])[] = [
    ['all', all],
    ['mesh', all],
    ['mesh_control', having('control')],
    ['mesh_hops', having('hop')],
    ['mesh_execution', having('execution')],
  ];
  return new Map(groups.filter(([, names]) => names.length > 0));
}
