import { mainPlaybook } from '../../generators/playbooks.ts';
import { ok, type Result } from '../../generators/result.ts';
import { perform } from '../pipeline.ts';
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
  const ran = await perform(
    { ...place, playbook, options: { check: true, diff: true } },
    overheard(world, (event) => {
      comparison.hear(event);
    }),
  );
  const { differences } = comparison;
  // Hosts that cannot be looked at are no drift.
  if (!ran.ok && !differences.some(({ kind }) => kind === 'differs')) return ran;
  return ok({ rendered: rendered.value, differences });
}

/** The same world, whose events somebody else hears, too. */
export const overheard = (world: World, hear: (event: Event) => void): World => ({
  ...world,
  report: (event) => {
    hear(event);
    world.report(event);
  },
});
