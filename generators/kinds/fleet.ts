import type { Cluster, Fleet } from '../cluster/cluster.ts';
import { kinds } from '../definition/kinds.ts';
import { site } from '../operations/table.ts';
import { fleetFiles } from '../phases/fleet/bundle-files.ts';
import { fleetGroups } from '../phases/fleet/groups.ts';
import { fleetPhases } from '../phases/fleet/phases.ts';
import { resolveFleet } from '../resolve/fleet/resolve.ts';
import { fleetTopology } from '../topology/topology.ts';
import type { Kind } from './kind.ts';

/** A mesh of Receptor nodes, and the clusters that are run over it. */
export const fleet: Kind<'Fleet'> = {
  definition: kinds.Fleet,
  resolve: (definition) => resolveFleet(definition),
  owns: (cluster) => cluster.fleet !== undefined,
  groups: (cluster) => fleetGroups(meshOf(cluster)),
  phases: fleetPhases,
  operations: [site],
  files: (cluster) => fleetFiles(cluster, meshOf(cluster)),
  summary: (cluster) => {
    const { nodes, clusters } = meshOf(cluster);
    return `fleet ${cluster.name}, ${nodes.length} nodes, ${clusters.length} clusters`;
  },
  introduction: (cluster) => {
    const { nodes, clusters } = meshOf(cluster);
    const named = nodes.map(({ name, role, site: at }) => `${name} (${at === '' ? role : `${role}, ${at}`})`);
    return `A mesh of Receptor nodes, by which ${clusters.length} clusters are run: ${named.join(', ')}.`;
  },
  topology: (cluster) => fleetTopology(cluster, meshOf(cluster)),
  versions: () => [],
  // A mesh is small and built by one playbook that is safe to repeat.
  unplanned: {
    reason: 'a definition of kind Fleet has no plan of its own: its mesh is built by one playbook',
    next: 'npx task run; for its clusters: npx task fleet plan',
  },
};

function meshOf({ fleet: mesh }: Cluster): Fleet {
  if (mesh === undefined) throw new TypeError('a definition of another kind was taken for a fleet');
  return mesh;
}
