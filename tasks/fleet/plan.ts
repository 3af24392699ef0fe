import { sha256 } from '../../generators/digest.ts';
import type { FleetCluster } from '../../generators/cluster/cluster.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import { applyPlan, type ApplyRequest } from '../apply/apply-plan.ts';
import { overview, refusal, type Overview } from '../apply/overview.ts';
import { agreement } from '../runtime/agreement.ts';
import { columns } from '../runtime/columns.ts';
import type { Failure } from '../runtime/failures.ts';
import { fewAtATime } from '../runtime/turns.ts';
import type { World } from '../runtime/world.ts';
import { renderBundle } from '../steps/bundle/bundle.ts';
import { definitionOf, looksAtOnce, reachOver, type FleetPlace } from './place.ts';
import { reportOutcomes } from './run.ts';
import { worldOf } from './told.ts';
import { inWaves, type WaveLimits } from './waves.ts';

interface ClusterPlan {
  readonly cluster: FleetCluster;
  readonly seen: Result<Overview, Failure>;
}

/** Shows what would be done to every cluster that is meant, and one name for all these plans together. */
export async function planFleet(
  place: FleetPlace,
  output: string,
  world: World,
): Promise<Result<void, Failure>> {
  const plans = await plansOf(place, output, world);
  show(plans, world);
  return soundly(plans);
}

export interface FleetApply extends Pick<ApplyRequest, 'output' | 'plan' | 'yes' | 'confirm' | 'set'> {
  readonly limits: WaveLimits;
}

/** Applies the plan of every cluster that is meant, in waves; what is no longer as it was shown is refused. */
export async function applyFleet(
  place: FleetPlace,
  { limits, plan, yes, confirm, ...request }: FleetApply,
  world: World,
): Promise<Result<void, Failure>> {
  const plans = await plansOf(place, request.output, world);
  show(plans, world);
  const sound = soundly(plans);
  if (!sound.ok) return sound;
  if (plan !== undefined && plan !== idOf(plans))
    return failed({
      kind: 'stale',
      message: `this is plan ${idOf(plans)} of the fleet, not ${plan}; nothing was run`,
      next: 'Read it, then name it with --plan',
    });
  const shown = new Map(plans.map(({ cluster, seen }) => [cluster, seen.ok ? seen.value : undefined]));
  const agreed = await agreement(`Apply these ${plans.length} plans?`, yes, world);
  if (!agreed.ok) return agreed;
  const outcomes = await inWaves(place.clusters, limits, (cluster, begun) =>
    applyPlan(
      {
        ...request,
        file: definitionOf(place, cluster, world),
        // Agreed to above, and to nothing else.
        ...{ yes: true, plan: shown.get(cluster)?.id, reach: reachOver(place, cluster) },
        confirm: confirm.filter((name) => asksFor(shown.get(cluster), name)),
      },
      worldOf(cluster, world, begun),
    ),
  );
  return reportOutcomes(outcomes, world);
}

const asksFor = (seen: Overview | undefined, name: string): boolean =>
  seen?.plan.steps.some((step) => step.confirm === name) ?? false;

const plansOf = (place: FleetPlace, output: string, world: World): Promise<readonly ClusterPlan[]> =>
  fewAtATime(place.clusters, looksAtOnce, async (cluster) => ({
    cluster,
    seen: await planOne(place, cluster, { output, world }),
  }));

async function planOne(
  place: FleetPlace,
  cluster: FleetCluster,
  { output, world }: { readonly output: string; readonly world: World },
): Promise<Result<Overview, Failure>> {
  const rendered = await renderBundle({ file: definitionOf(place, cluster, world), output }, world);
  if (!rendered.ok) return rendered;
  const server = await reachOver(place, cluster)(rendered.value);
  if (!server.ok) return server;
  try {
    const seen = await overview(server.value, rendered.value, world);
    const refused = seen.ok ? refusal(seen.value) : undefined;
    return refused === undefined ? seen : failed(refused);
  } finally {
    await server.value.close();
  }
}

const idOf = (plans: readonly ClusterPlan[]): string =>
  sha256(
    plans.map(({ cluster, seen }) => `${cluster.name} ${seen.ok ? seen.value.id : '-'}`).join('\n'),
  ).slice(0, 12);

function show(plans: readonly ClusterPlan[], { json, print }: World): void {
  if (json) for (const planned of plans) print(JSON.stringify(plain(planned)));
  else
    print(columns([['cluster', 'site', 'node', 'plan', 'steps'], ...plans.map((planned) => row(planned))]));
  if (json) print(JSON.stringify({ type: 'fleet-plan', id: idOf(plans) }));
  else print(`plan of the fleet ${idOf(plans)}`);
}

const row = ({ cluster, seen }: ClusterPlan): string[] => [
  ...[cluster.name, cluster.site, cluster.node],
  ...(seen.ok ? [seen.value.id, stepsOf(seen.value)] : ['', seen.failure.message]),
];

const stepsOf = ({ plan: { steps } }: Overview): string =>
  steps.length === 0
    ? 'nothing to do'
    : steps.map(({ operation, targets }) => [operation, ...targets].join(' ')).join(', ');

const plain = ({ cluster, seen }: ClusterPlan): object => ({
  type: 'plan',
  ...{ cluster: cluster.name, site: cluster.site, node: cluster.node },
  ...(seen.ok ? { id: seen.value.id, steps: seen.value.plan.steps } : { failure: seen.failure }),
});

function soundly(plans: readonly ClusterPlan[]): Result<void, Failure> {
  const bad = plans.flatMap(({ cluster, seen }) =>
    seen.ok ? [] : [`${cluster.name}: ${seen.failure.message}`],
  );
  return bad.length === 0
    ? ok(undefined)
    : failed({
        kind: 'refused',
        message: `${bad.length} of ${plans.length} clusters have no plan; nothing was run`,
        evidence: bad.join('\n'),
        next: 'Fix them, or select others with --cluster',
      });
}
