import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kindOf } from '../../../generators/kinds/kinds.ts';
import { planOf } from '../../../generators/plan/plan.ts';
import type { AppliedState } from '../../../generators/plan/applied.ts';
import type { PlanLine, PlanReport } from '../../../generators/report/report.ts';
import type { Server } from '../../runtime/server.ts';
import type { RenderedBundle } from '../bundle/bundle.ts';
import { replaceDurably } from '../definition/durable.ts';
import { keepApplied, readLife, snapshotOfRendered } from './life.ts';

/** The steps that a plan would have now, as a page shows them; undefined where nobody can say. */
export async function stepsNow(
  server: Server,
  rendered: RenderedBundle,
): Promise<readonly PlanLine[] | undefined> {
  const applied = await appliedNow(server, rendered);
  return applied && linesOf(applied, rendered);
}

async function appliedNow(server: Server, { cluster }: RenderedBundle): Promise<AppliedState | undefined> {
  if (kindOf(cluster).unplanned !== undefined) return undefined;
  const life = await readLife(server, cluster.name);
  return life.ok ? life.value.applied : undefined;
}

/** The steps from what is applied to what a definition wants. */
export const linesOf = (
  applied: AppliedState,
  rendered: Pick<RenderedBundle, 'cluster' | 'bundle' | 'made'>,
): readonly PlanLine[] =>
  planOf({ applied, wanted: snapshotOfRendered(rendered) }).steps.map(
    ({ operation, targets, reasons, danger }) => ({ operation, targets, reasons, danger }),
  );

/**
 * Keeps the plan before and after a run beside the copy of its record, and a copy of what is applied by then. A run that was
 * left has no copy yet, and that nothing can be written is no reason to fail.
 */
export async function notePlans(
  { server, ...rendered }: RenderedBundle & { readonly server: Server },
  { run, before, folder }: { readonly run: string; readonly before: AppliedState; readonly folder: string },
): Promise<void> {
  const path = join(folder, 'runs', rendered.cluster.name, run);
  if (!existsSync(join(path, 'record.json'))) return;
  const applied = await appliedNow(server, rendered);
  if (applied) await keepApplied(folder, rendered.cluster.name, applied);
  const after = applied ? { after: linesOf(applied, rendered) } : {};
  const plans: PlanReport = { before: linesOf(before, rendered), ...after };
  const text = `${JSON.stringify(plans, null, 2)}\n`;
  await replaceDurably(join(path, 'plan.json'), text, 0o600).catch(() => undefined);
}

/** The plans that were kept beside a record; undefined where there are none. */
export async function keptPlans(folder: string): Promise<PlanReport | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8')) as PlanReport;
  } catch {
    return undefined;
  }
}
