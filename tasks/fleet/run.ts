import type { FleetCluster } from '../../generators/cluster/cluster.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import { perform } from '../pipeline.ts';
import { columns } from '../runtime/columns.ts';
import { exitCodes, explain, type Failure } from '../runtime/failures.ts';
import type { World } from '../runtime/world.ts';
import { definitionOf, reachOver, type FleetPlace } from './place.ts';
import { worldOf } from './told.ts';
import { inWaves, type WaveLimits, type ClusterOutcome } from './waves.ts';

export interface FleetRun {
  /** Without `.yml`; empty: what builds each cluster. */
  readonly playbook: string;
  readonly output: string;
  readonly check: boolean;
  /** Variables of the playbook, as `variable=value`. */
  readonly given: readonly string[];
  readonly limits: WaveLimits;
}

/** Runs one playbook or operation on every cluster that is meant, in waves; each over the mesh, on its own node. */
export async function runFleet(
  place: FleetPlace,
  { playbook, output, check, given, limits }: FleetRun,
  world: World,
): Promise<Result<void, Failure>> {
  const outcomes = await inWaves(place.clusters, limits, (cluster, begun) =>
    perform(
      {
        ...{ file: definitionOf(place, cluster, world), output, playbook, given },
        options: { check, diff: check },
        reach: reachOver(place, cluster),
      },
      worldOf(cluster, world, begun),
    ),
  );
  return reportOutcomes(outcomes, world);
}

/** Prints how every cluster came out of it, and says of all of them together whether that is well. */
export function reportOutcomes(outcomes: readonly ClusterOutcome[], world: World): Result<void, Failure> {
  if (world.json) for (const outcome of outcomes) world.print(JSON.stringify(plain(outcome)));
  else
    world.print(
      columns([['cluster', 'site', 'node', 'outcome'], ...outcomes.map((outcome) => row(outcome))]),
    );
  const bad = outcomes.filter(({ result }) => result?.ok !== true);
  if (bad.length === 0) return ok(undefined);
  const begun = bad.filter(({ result }) => result !== undefined);
  const idle = bad.length - begun.length;
  return failed({
    kind: 'playbook',
    message: `${begun.length} of ${outcomes.length} clusters did not succeed${idle === 0 ? '' : `, ${idle} were not started`}`,
    evidence: begun.flatMap((outcome) => outcomeLines(outcome)).join('\n'),
    next: `When that is fixed, run the same again with ${bad.map(({ cluster }) => `--cluster ${cluster.name}`).join(' ')}`,
  });
}

const row = ({ cluster, result }: ClusterOutcome): string[] => [
  cluster.name,
  cluster.site,
  cluster.node,
  result === undefined ? 'not begun' : result.ok ? 'successful' : result.failure.message,
];

const outcomeLines = ({ cluster, result }: ClusterOutcome): string[] =>
  result === undefined || result.ok ? [] : [`${cluster.name}: ${explain(result.failure)}`];

const plain = ({ cluster, result }: ClusterOutcome): object => ({
  ...clusterFields(cluster),
  outcome: result === undefined ? 'not-begun' : result.ok ? 'successful' : 'failed',
  ...(result === undefined || result.ok
    ? {}
    : { exitCode: exitCodes[result.failure.kind], failure: result.failure }),
});

const clusterFields = ({ name, site, node }: FleetCluster): object => ({ cluster: name, site, node });
