import type { FleetCluster } from '../../generators/cluster/cluster.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { LockHolder } from '../runtime/agent/messages.ts';
import type { RunBrief } from '../runtime/agent/run-records.ts';
import { columns } from '../runtime/columns.ts';
import type { Failure } from '../runtime/failures.ts';
import { operator } from '../runtime/operator.ts';
import { fewAtATime } from '../runtime/turns.ts';
import type { World } from '../runtime/world.ts';
import { load, type DefinitionFile } from '../steps/definition/load.ts';
import { cancel, cancellationResult, unlock, unlockedText } from '../steps/run/lock.ts';
import { runs, runStatus } from '../steps/run/runs.ts';
import { watch } from '../steps/run/watch.ts';
import { definitionOf, looksAtOnce, reachOver, type FleetPlace } from './place.ts';

export interface ClusterRuns {
  readonly cluster: FleetCluster;
  readonly runs: readonly RunBrief[];
  readonly lock: LockHolder | undefined;
  /** Why it cannot be known, or empty. */
  readonly problem: string;
}

/** The latest runs of every cluster that is meant, and who holds its lock; a node that does not answer is told in its rows. */
export async function showRuns(
  place: FleetPlace,
  limit: number,
  world: World,
): Promise<Result<void, Failure>> {
  const seen = await latestRuns(place, limit, world);
  if (world.json) for (const each of seen) world.print(JSON.stringify(each));
  else
    world.print(
      columns([['cluster', 'site', 'node', 'run', 'status', 'began', 'lock'], ...seen.flatMap(rows)]),
    );
  const silent = seen.filter(({ problem }) => problem !== '');
  return silent.length === 0
    ? ok(undefined)
    : failed({
        kind: 'connection',
        message: `nothing is known of ${silent.map(({ cluster }) => cluster.name).join(', ')}`,
        next: 'npx task fleet doctor',
      });
}

/** What every cluster that is meant tells of its latest runs, the latest first; a node that does not answer is a `problem`. */
export const latestRuns = (place: FleetPlace, limit: number, world: World): Promise<readonly ClusterRuns[]> =>
  fewAtATime(place.clusters, looksAtOnce, (cluster) => look(place, cluster, { limit, world }));

async function look(
  place: FleetPlace,
  cluster: FleetCluster,
  { limit, world }: { readonly limit: number; readonly world: World },
): Promise<ClusterRuns> {
  const found = await withCluster(place, cluster, world, ({ server }) =>
    runs(server, { cluster: cluster.name, limit }),
  );
  return found.ok
    ? {
        cluster,
        runs: found.value.runs.toReversed(),
        lock: found.value.locks[cluster.name],
        problem: '',
      }
    : { cluster, runs: [], lock: undefined, problem: found.failure.message };
}

function rows({ cluster, runs: found, lock, problem }: ClusterRuns): string[][] {
  const held = heldBy(lock);
  const own = [cluster.name, cluster.site, cluster.node];
  if (found.length === 0) return [[...own, '', problem === '' ? 'never run' : problem, '', held]];
  return found.map(({ run, status, started }) => [...own, run, status, started.slice(0, 19), held]);
}

/** Who has a lock and for what, or nothing. */
export const heldBy = (lock: LockHolder | undefined): string =>
  lock === undefined ? '' : `${lock.who} for ${lock.what}${lock.alive === false ? ' (gone)' : ''}`;

type OpenedCluster = DefinitionFile & { readonly server: Parameters<typeof runs>[0] };

/** Opens the way to the node of one cluster for `work`, and closes it whatever happens. */
async function withCluster<Value>(
  place: FleetPlace,
  cluster: FleetCluster,
  world: World,
  work: (opened: OpenedCluster) => Promise<Result<Value, Failure>>,
): Promise<Result<Value, Failure>> {
  const loaded = await load(definitionOf(place, cluster, world), world);
  if (!loaded.ok) return loaded;
  const server = await reachOver(place, cluster)(loaded.value);
  if (!server.ok) return server;
  try {
    return await work({ ...loaded.value, server: server.value });
  } finally {
    await server.value.close();
  }
}

/** Follows a run of one cluster to its end, from its first event or any other; an empty run is the latest. */
export const attachTo = (
  place: FleetPlace,
  cluster: FleetCluster,
  { run, from }: { readonly run: string; readonly from: number },
  world: World,
): Promise<Result<void, Failure>> =>
  withCluster(place, cluster, world, async (opened) => {
    const found = await runStatus(opened.server, { cluster: cluster.name, run });
    if (!found.ok) return found;
    const { playbook, options, meta } = found.value;
    const { plays, tasks } = meta;
    const check = options.check ?? false;
    world.report({ type: 'run-started', run: found.value.run, playbook, plays, tasks, check });
    return watch({ loaded: opened, server: opened.server, run: found.value.run, from, total: tasks }, world);
  });

/** Stops a run of one cluster; an empty run is the latest. */
export const cancelOf = (
  place: FleetPlace,
  cluster: FleetCluster,
  run: string,
  world: World,
): Promise<Result<void, Failure>> =>
  withCluster(place, cluster, world, async ({ server }) => {
    const who = await operator(world.cwd);
    const cancelled = await cancel(server, { cluster: cluster.name, run, who });
    if (!cancelled.ok) return cancelled;
    world.report({
      type: 'note',
      text: `${cluster.name}: run ${cancelled.value.run}: ${cancelled.value.status}`,
    });
    return cancellationResult(cancelled.value);
  });

/** Removes the lock that a lost run left on the node of one cluster; a living run's lock only with `force`. */
export const unlockOf = (
  place: FleetPlace,
  cluster: FleetCluster,
  force: boolean,
  world: World,
): Promise<Result<void, Failure>> =>
  withCluster(place, cluster, world, async ({ server }) => {
    const unlocked = await unlock(server, { cluster: cluster.name, force });
    if (!unlocked.ok) return unlocked;
    world.report({ type: 'note', text: unlockedText(cluster.name, unlocked.value) });
    return ok(undefined);
  });
