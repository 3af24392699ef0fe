import { join } from 'node:path';
import { failed, ok, type Result } from '../../generators/result.ts';
import { planOf, type Plan } from '../../generators/plan.ts';
import { planDigest } from '../../generators/plan/journal.ts';
import type { Fact } from '../../generators/plan/applied.ts';
import { planText } from '../../generators/plan/words.ts';
import type { Failure } from '../runtime/failures.ts';
import type { Server } from '../runtime/server.ts';
import type { World } from '../runtime/world.ts';
import type { Rendered } from '../steps/bundle.ts';
import { keepApplied, readLife, snapshotOfRendered, type Life } from '../steps/life.ts';
import { keepsake } from '../steps/watch.ts';

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
  rendered: Rendered,
  { cwd }: Pick<World, 'cwd'>,
): Promise<Result<Overview, Failure>> {
  if (rendered.cluster.osa !== undefined) return failed(notPlanned);
  if (rendered.cluster.fleet !== undefined) return failed(meshNotPlanned);
  const life = await readLife(server, rendered.cluster.name);
  if (!life.ok) return life;
  const { applied } = life.value;
  await keepApplied(join(cwd, keepsake), rendered.cluster.name, applied);
  const plan = planOf({ applied, wanted: snapshotOfRendered(rendered) });
  return ok({ plan, id: planDigest(plan).slice(0, 12), life: life.value });
}

/** What has to be done to an OpenStack is for its operator to say; nothing here knows what was done by others. */
const notPlanned: Failure = {
  kind: 'usage',
  message: 'a definition of kind OpenStackAnsibleMagnum has no plan: its playbooks are run by their names',
  next: 'npx task run osa-place, then npx task run osa-deploy-existing',
};

/** A mesh is small and built by one playbook that is safe to repeat. */
const meshNotPlanned: Failure = {
  kind: 'usage',
  message: 'a definition of kind Fleet has no plan of its own: its mesh is built by one playbook',
  next: 'npx task run; for its clusters: npx task fleet plan',
};

/** Prints a plan: for a person, or as one line of JSON. */
export function show(
  { plan, id, life }: Overview,
  { json, print, report }: Pick<World, 'json' | 'print' | 'report'>,
): void {
  if (json) print(JSON.stringify({ type: 'plan', id, ...plan }));
  else print(`${planText(plan)}\nplan ${id}`);
  if (life.unfinished !== undefined && !json)
    report({ type: 'warning', text: openRun(life.unfinished, life.lock) });
}

function openRun({ operation, run }: Fact, lock: Life['lock']): string {
  return lock?.run === run && lock.alive !== false
    ? `${operation} (${run}) is running: what it changes is not in this plan yet; npx task attach ${run} follows it`
    : `the last run, ${operation} (${run}), did not reach its end; npx task resume takes it up`;
}

/** A plan with changes that cannot be made in place is no plan to run. */
export const refusal = ({ plan: { refused, cluster } }: Overview): Failure | undefined =>
  refused.length === 0
    ? undefined
    : {
        kind: 'refused',
        message: `${cluster} cannot be changed to what its definition says now; nothing was run`,
        evidence: refused.join('\n'),
        next: 'Change the definition as these say, render and commit it, then npx task plan',
      };
