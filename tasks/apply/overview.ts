import { join } from 'node:path';
import { kindOf } from '../../generators/kinds/kinds.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import { planOf, type Plan } from '../../generators/plan/plan.ts';
import { planInMarkdown } from '../../generators/plan/markdown.ts';
import { planDigest } from '../../generators/plan/journal.ts';
import type { Fact } from '../../generators/plan/applied.ts';
import { planText } from '../../generators/plan/words.ts';
import type { Failure } from '../runtime/failures.ts';
import type { Server } from '../runtime/server.ts';
import type { World } from '../runtime/world.ts';
import type { RenderedBundle } from '../steps/bundle/bundle.ts';
import { examineArtifacts } from '../steps/server/examine-artifacts.ts';
import type { CheckResult } from '../steps/server/examine.ts';
import { knownElsewhere } from '../steps/state/former-name.ts';
import { keepApplied, readLife, snapshotOfRendered, type Life } from '../steps/state/life.ts';
import { unchangeable } from '../steps/run/refusal.ts';
import { keepsake } from '../steps/run/watch.ts';

/** A plan, and what it was made from. */
export interface Overview {
  readonly plan: Plan;
  /** What `apply --plan` names it by. */
  readonly id: string;
  readonly life: Life;
}

/** Makes the plan of a rendered definition, after what the server knows to be applied. */
export async function overview(
  server: Server,
  rendered: RenderedBundle,
  { cwd }: Pick<World, 'cwd'>,
): Promise<Result<Overview, Failure>> {
  const { unplanned } = kindOf(rendered.cluster);
  if (unplanned !== undefined)
    return failed({ kind: 'usage', message: unplanned.reason, next: unplanned.next });
  const artifacts = await examineArtifacts(server, rendered.cluster);
  if (!artifacts.ok) return artifacts;
  const wrong = artifacts.value.find(({ state }) => state === 'unfit');
  if (wrong !== undefined) return failed(otherArtifacts(wrong));
  const life = await readLife(server, rendered.cluster.name);
  if (!life.ok) return life;
  const { applied, digest } = life.value;
  const folder = join(cwd, keepsake);
  const elsewhere = await knownElsewhere(server, rendered.cluster, { applied, digest, folder });
  if (elsewhere !== undefined) return failed(elsewhere);
  await keepApplied(folder, rendered.cluster.name, applied);
  const plan = planOf({ applied, wanted: snapshotOfRendered(rendered) });
  return ok({ plan, id: planDigest(plan).slice(0, 12), life: life.value });
}

/** Every step that needs them would stop half-way. */
const otherArtifacts = ({ seen, remedy }: CheckResult): Failure => ({
  kind: 'refused',
  message: `the artifacts are not those of the definition: ${seen}; nothing was run`,
  evidence: '',
  next: remedy,
});

/** Prints a plan: for a person, as Markdown for a merge request, or as one line of JSON. */
export function show(
  { plan, id, life }: Overview,
  {
    json,
    print,
    report,
    markdown = false,
  }: Pick<World, 'json' | 'print' | 'report'> & { markdown?: boolean },
): void {
  if (json) print(JSON.stringify({ type: 'plan', id, ...plan }));
  else if (markdown) print(planInMarkdown(plan, id).trimEnd());
  else print(`${planText(plan)}\nplan ${id}`);
  if (life.unfinished !== undefined && !json)
    report({ type: 'warning', text: openRun(life.unfinished, life.lock) });
}

function openRun({ operation, run }: Fact, lock: Life['lock']): string {
  return lock?.run === run && lock.alive !== false
    ? `${operation} (${run}) is running: what it changes is not in this plan yet; npx task attach ${run} follows it`
    : `the last run, ${operation} (${run}), did not complete; npx task resume takes it up`;
}

/** A plan with changes that cannot be made in place is no plan to run. */
export const refusal = ({ plan: { refused, cluster } }: Overview): Failure | undefined =>
  refused.length === 0
    ? undefined
    : unchangeable(
        cluster,
        refused,
        'Change the definition as these say, render and commit it, then npx task plan',
      );
