import type { Machine } from '../../generators/cluster/machines.ts';
import { isControlPlane } from '../../generators/cluster/roles.ts';
import type { Cluster } from '../../generators/cluster/cluster.ts';
import { mainPlaybook, phasesOf } from '../../generators/playbooks.ts';
import { ok, type Result } from '../../generators/result.ts';
import { perform } from '../pipeline.ts';
import type { RunOptions } from '../runtime/agent/run-records.ts';
import type { Event } from '../runtime/events.ts';
import type { Failure } from '../runtime/failures.ts';
import type { World } from '../runtime/world.ts';
import { renderBundle, type DefinitionPlace, type RenderedBundle } from '../steps/bundle/bundle.ts';
import type { RunRequest } from '../steps/run/prepare.ts';
import { Comparison, type HostDifference } from './compared.ts';

const lastPhase = 'verify';

interface HostComparison {
  readonly rendered: RenderedBundle;
  readonly differences: readonly HostDifference[];
}

/** All phases that build the cluster, in check mode: what they would change is what differs. */
export async function compareHosts(
  place: DefinitionPlace & Pick<RunRequest, 'reach'>,
  world: World,
): Promise<Result<HostComparison, Failure>> {
  const rendered = await renderBundle(place, world);
  if (!rendered.ok) return rendered;
  const comparison = new Comparison(rendered.value.bundle.files);
  const { cluster } = rendered.value;
  const look: Look = (playbook, options) =>
    perform(
      { ...place, playbook, options: { check: true, diff: true, ...options } },
      overheard(world, (event) => {
        comparison.hear(event);
      }),
    );
  const ran = await look(mainPlaybook(cluster), {});
  if (!ran.ok) {
    // Nobody goes on with what was cancelled, or never began.
    if (!onHosts.includes(ran.failure.kind)) return ran;
    await lookFurther(cluster, comparison, look);
  }
  const { differences } = comparison;
  // Hosts that cannot be looked at are no drift.
  if (!ran.ok && !differences.some(({ kind }) => kind === 'differs')) return ran;
  return ok({ rendered: rendered.value, differences });
}

type Look = (playbook: string, options: Pick<RunOptions, 'limit'>) => Promise<Result<unknown, Failure>>;

/** What ended a comparison hides nothing of the rest. */
async function lookFurther(cluster: Cluster, comparison: Comparison, look: Look): Promise<void> {
  const gone = comparison.unreachable;
  const rest = gone.length > 0 ? { limit: ['all', ...gone.map((host) => `!${host}`)] } : {};
  // Phases compare a cluster only with all its control planes.
  if (gone.length > 0 && !cluster.machines.some(isControlPlaneOf(gone)))
    await look(mainPlaybook(cluster), rest);
  // The last one tells of the cluster as a whole.
  if (!comparison.hasSeen(lastPhase) && phasesOf(cluster).some(({ name }) => name === lastPhase))
    await look(lastPhase, rest);
}

const onHosts: readonly Failure['kind'][] = ['playbook', 'unreachable'];

const isControlPlaneOf =
  (names: readonly string[]) =>
  (machine: Machine): boolean =>
    isControlPlane(machine) && names.includes(machine.name);

/** The same world, whose events somebody else hears, too. */
export const overheard = (world: World, hear: (event: Event) => void): World => ({
  ...world,
  report: (event) => {
    hear(event);
    world.report(event);
  },
});
