import { journalOf } from '../../generators/plan/journal.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import { operator } from '../runtime/operator.ts';
import type { World } from '../runtime/world.ts';
import { renderBundle, type DefinitionPlace } from '../steps/bundle/bundle.ts';
import { reach } from '../steps/server/reach.ts';
import { requireReview } from '../steps/bundle/review.ts';
import { requireConsent, type Agreement } from './confirm.ts';
import { overview, refusal, show, type Overview } from './overview.ts';
import { runSteps } from './steps.ts';

export interface ApplyRequest extends DefinitionPlace, Agreement {
  readonly plan: string | undefined;
  readonly set: readonly string[];
  /** Another way than the definition's own to where it runs. */
  readonly reach?: typeof reach;
}

/** Shows the plan of a definition, asks, and runs its steps. */
export async function applyPlan(request: ApplyRequest, world: World): Promise<Result<void, Failure>> {
  const rendered = await renderBundle(request, world);
  if (!rendered.ok) return rendered;
  const revision = await requireReview(rendered.value);
  if (!revision.ok) return revision;
  const server = await (request.reach ?? reach)(rendered.value);
  if (!server.ok) return server;
  try {
    const seen = await overview(server.value, rendered.value, world);
    if (!seen.ok) return seen;
    show(seen.value, world);
    const agreed = await agreedTo(seen.value, request, world);
    if (!agreed.ok) return agreed;
    const { plan, life } = seen.value;
    if (plan.steps.length === 0) return ok(undefined);
    const journal = journalOf(plan, { who: await operator(world.cwd), started: new Date().toISOString() });
    const place = { rendered: rendered.value, revision: revision.value, server: server.value };
    const course = { ...place, journal, life, insteadOf: life.journal?.fence ?? '' };
    return await runSteps({ ...course, given: request.set, options: {}, end: 'done' }, world);
  } finally {
    await server.value.close();
  }
}

async function agreedTo(
  seen: Overview,
  { plan, yes, confirm }: ApplyRequest,
  world: World,
): Promise<Result<void, Failure>> {
  const refused = refusal(seen);
  if (refused !== undefined) return failed(refused);
  if (plan !== undefined && plan !== seen.id)
    return failed({
      kind: 'stale',
      message: `this is plan ${seen.id}, not ${plan}: the definition, or what is applied, was changed since; nothing was run`,
      next: 'Read it, then name it with --plan',
    });
  return requireConsent(seen.plan.steps, { yes, confirm }, world);
}
