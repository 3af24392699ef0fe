import type { Machine } from '../../generators/cluster/machines.ts';
import { isControlPlane } from '../../generators/cluster/roles.ts';
import { mainPlaybook } from '../../generators/playbooks.ts';
import { ok, type Result } from '../../generators/result.ts';
import { perform } from '../pipeline.ts';
import type { RunOptions } from '../runtime/agent/run-records.ts';
import type { Event } from '../runtime/events.ts';
import type { Failure } from '../runtime/failures.ts';
import type { World } from '../runtime/world.ts';
import { renderBundle, type DefinitionPlace, type RenderedBundle } from '../steps/bundle/bundle.ts';
import type { RunRequest } from '../steps/run/prepare.ts';
import { Comparison, type HostDifference } from './compared.ts';

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
  const playbook = mainPlaybook(rendered.value.cluster);
  const look = (options: Pick<RunOptions, 'limit'>): Promise<Result<unknown, Failure>> =>
    perform(
      { ...place, playbook, options: { check: true, diff: true, ...options } },
      overheard(world, (event) => {
        comparison.hear(event);
      }),
    );
  const ran = await look({});
  const gone = comparison.unreachable;
  // Who does not answer hides nothing of the others; a cluster is compared only with all its control planes.
  if (gone.length > 0 && !rendered.value.cluster.machines.some(isControlPlaneOf(gone)))
    await look({ limit: ['all', ...gone.map((host) => `!${host}`)] });
  const { differences } = comparison;
  // Hosts that cannot be looked at are no drift.
  if (!ran.ok && !differences.some(({ kind }) => kind === 'differs')) return ran;
  return ok({ rendered: rendered.value, differences });
}

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
