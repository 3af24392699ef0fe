import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { planOf } from '../../generators/plan.ts';
import type { Applied } from '../../generators/plan/applied.ts';
import type { PlanLine, PlanReport } from '../../generators/report/report.ts';
import type { Server } from '../runtime/server.ts';
import type { Rendered } from '../steps/bundle.ts';
import { readLife, snapshotOfRendered } from '../steps/life.ts';

/** The steps that a plan would have now, as a page shows them; undefined where nobody can say. */
export async function stepsNow(server: Server, rendered: Rendered): Promise<readonly PlanLine[] | undefined> {
  if (rendered.cluster.osa !== undefined) return undefined;
  const life = await readLife(server, rendered.cluster.name);
  return life.ok ? linesOf(life.value.applied, rendered) : undefined;
}

/** The steps from what is applied to what a definition wants. */
export const linesOf = (
  applied: Applied,
  rendered: Pick<Rendered, 'cluster' | 'bundle' | 'made'>,
): readonly PlanLine[] =>
  planOf({ applied, wanted: snapshotOfRendered(rendered) }).steps.map(
    ({ operation, targets, reasons, danger }) => ({ operation, targets, reasons, danger }),
  );

/** Keeps the plan before and after a run beside its record; that it cannot be written is no reason to fail. */
export const keepPlans = (folder: string, plans: PlanReport): Promise<void> =>
  writeFile(join(folder, 'plan.json'), `${JSON.stringify(plans, null, 2)}\n`, { mode: 0o600 }).catch(
    () => undefined,
  );

/** The plans that were kept beside a record; undefined where there are none. */
export async function keptPlans(folder: string): Promise<PlanReport | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8')) as PlanReport;
  } catch {
    return undefined;
  }
}
