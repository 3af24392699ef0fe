import { dirname, join, relative } from 'node:path';
import type { Fleet, FleetCluster } from '../../generators/cluster/cluster.ts';
import { chosenClusters, type FleetChoice } from '../../generators/resolve/fleet/select.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import type { Lending } from '../runtime/agent/lending.ts';
import type { Server } from '../runtime/server.ts';
import { surroundings } from '../runtime/ssh/route.ts';
import type { World } from '../runtime/world.ts';
import { connect, lendingOf } from '../steps/server/connect.ts';
import { load, type DefinitionFile } from '../steps/definition/load.ts';

/** A fleet whose definition is sound, and the clusters of it that are meant. */
export interface FleetPlace {
  readonly loaded: DefinitionFile;
  readonly fleet: Fleet;
  readonly clusters: readonly FleetCluster[];
  /** Ways to the control node: who is done with one cluster leaves its way to the next. Close it. */
  readonly ways: Lending;
}

/** How many clusters are looked at at a time: each is a connection and a process on the control node. */
export const looksAtOnce = 10;

/** Reads the definition of a fleet, and finds whom somebody means. */
export async function fleetPlace(
  file: string,
  choice: FleetChoice,
  world: World,
): Promise<Result<FleetPlace, Failure>> {
  const loaded = await load(file, world);
  if (!loaded.ok) {
    const { failure } = loaded;
    return failed(failure.kind === 'file' ? { ...failure, next } : failure);
  }
  const { fleet } = loaded.value.cluster;
  if (fleet === undefined)
    return failed({ kind: 'usage', message: `${file} defines no fleet`, next: 'Name one: --file fleet.yml' });
  const { ansibleServer } = loaded.value.cluster;
  const ways = lendingOf(ansibleServer, { ...surroundings(), folder: dirname(loaded.value.file) });
  if (fleet.clusters.length === 0) return ok({ loaded: loaded.value, fleet, clusters: [], ways });
  const chosen = chosenClusters(fleet, choice);
  return chosen.ok
    ? ok({ loaded: loaded.value, fleet, clusters: chosen.value, ways })
    : failed({ kind: 'usage', message: chosen.failure.join('\n') });
}

/** `init` writes definitions of clusters alone. */
const next = 'docs/fleet.md and examples/fleet.yml show one; --file names another';

/** The definition of a cluster, relative to where the task was called. */
export const definitionOf = ({ loaded }: FleetPlace, cluster: FleetCluster, { cwd }: World): string =>
  relative(cwd, join(dirname(loaded.file), cluster.definition));

/** The way to the control node, or over it to another node of the mesh; `directory` is what the other one keeps all in. */
export const overMesh = (
  { loaded, ways }: Pick<FleetPlace, 'loaded' | 'ways'>,
  over?: { readonly node: string; readonly directory: string; readonly sealingKey: string },
): Promise<Result<Server, Failure>> =>
  connect(loaded.cluster.ansibleServer, {
    around: { ...surroundings(), folder: dirname(loaded.file) },
    ...(over === undefined ? {} : { over: { ...over, lending: ways } }),
  });

/** Opens the way to the node that runs a cluster; what its own definition says of an Ansible server is not used but for the directory. */
export const reachOver =
  (place: FleetPlace, cluster: FleetCluster) =>
  (own: DefinitionFile): Promise<Result<Server, Failure>> =>
    own.cluster.name === cluster.name
      ? overMesh(place, {
          node: cluster.node,
          directory: own.cluster.ansibleServer.directory,
          sealingKey: place.fleet.nodes.find(({ name }) => name === cluster.node)?.sealingKey ?? '',
        })
      : Promise.resolve(failed(wrongName(cluster, own)));

const wrongName = (cluster: FleetCluster, own: DefinitionFile): Failure => ({
  kind: 'usage',
  message: `the fleet calls it ${cluster.name}, but ${cluster.definition} defines ${own.cluster.name}`,
  next: 'Give both the same name',
});
