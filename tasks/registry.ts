import type { CnfOperation } from '../generators/phases/cnf/cnf.ts';
import type { TaskName } from './overview/summaries.ts';
import type { Task } from './task.ts';

/** Every task, loaded when it is asked for. What help says of it, and where, stands in overview/. */
export const registry: ReadonlyMap<string, () => Promise<Task>> = new Map<TaskName, () => Promise<Task>>([
  ['init', async () => (await import('./commands/define/init.ts')).init],
  ['import', async () => (await import('./commands/define/import.ts')).importTask],
  ['check', async () => (await import('./commands/define/check.ts')).check],
  ['versions', async () => (await import('./commands/define/versions.ts')).versions],
  ['update', async () => (await import('./commands/define/update.ts')).update],
  ['schema', async () => (await import('./commands/define/schema.ts')).schema],
  ['render', async () => (await import('./commands/review/render.ts')).render],
  ['diff', async () => (await import('./commands/review/diff.ts')).diff],
  ['review', async () => (await import('./commands/review/review.ts')).review],
  ['trust', async () => (await import('./commands/define/trust.ts')).trust],
  ['bootstrap', async () => (await import('./commands/run/bootstrap.ts')).bootstrap],
  ['probe', async () => (await import('./commands/define/probe.ts')).probe],
  ['doctor', async () => (await import('./commands/run/doctor.ts')).doctor],
  ['artifacts', async () => (await import('./commands/run/artifacts.ts')).artifacts],
  ['push', async () => (await import('./commands/run/push.ts')).push],
  ['run', async () => (await import('./commands/run/run.ts')).run],
  ...operations('scale-out', 'scale-in', 'heal-node', 'replace-node'),
  ...operations('heal-storage', 'heal-cluster'),
  ...operations('upgrade', 'reconfigure', 'rotate-certificates', 'restore', 'terminate'),
  ...cnfs('cnf-instantiate', 'cnf-scale', 'cnf-heal', 'cnf-update', 'cnf-terminate', 'cnf-status'),
  ['plan', async () => (await import('./commands/review/plan.ts')).plan],
  ['apply', async () => (await import('./commands/run/apply.ts')).apply],
  ['resume', async () => (await import('./commands/run/resume.ts')).resume],
  ['drill', async () => (await import('./commands/operate/drill.ts')).drill],
  ['schedule', async () => (await import('./commands/operate/schedule.ts')).schedule],
  ['verify', async () => (await import('./commands/look/verify.ts')).verify],
  ['owner', async () => (await import('./commands/operate/owner.ts')).owner],
  ['drift', async () => (await import('./commands/look/drift.ts')).drift],
  ['kubeconfig', async () => (await import('./commands/look/kubeconfig.ts')).kubeconfig],
  ['export', async () => (await import('./commands/look/export.ts')).exportTask],
  ['patch', async () => (await import('./commands/operate/patch.ts')).patch],
  ['backup', async () => (await import('./commands/operate/backup.ts')).backup],
  ['runs', async () => (await import('./commands/look/runs.ts')).runs],
  ['logs', async () => (await import('./commands/look/logs.ts')).logs],
  ['attach', async () => (await import('./commands/run/attach.ts')).attach],
  ['report', async () => (await import('./commands/look/report.ts')).report],
  ['metrics', async () => (await import('./commands/look/metrics.ts')).metrics],
  ['explain', async () => (await import('./commands/look/explain.ts')).explain],
  ['cancel', async () => (await import('./commands/run/cancel.ts')).cancel],
  ['unlock', async () => (await import('./commands/run/unlock.ts')).unlock],
  ['gc', async () => (await import('./commands/operate/gc.ts')).gc],
  ['fleet', async () => (await import('./commands/operate/fleet.ts')).fleet],
  ['help', async () => (await import('./commands/look/help.ts')).help],
  ['lab', async () => (await import('./commands/lab/lab.ts')).lab],
]);

function operations(...names: readonly TaskName[]): readonly (readonly [TaskName, () => Promise<Task>])[] {
  return names.map((name) => [
    name,
    async () => {
      const { operationTasks } = await import('./commands/operate/operation-tasks.ts');
      const found = operationTasks[name];
      if (found === undefined) throw new Error(`no operation ${name}`);
      return found;
    },
  ]);
}

function cnfs(...names: readonly CnfOperation[]): readonly (readonly [CnfOperation, () => Promise<Task>])[] {
  return names.map((name) => [
    name,
    async () => (await import('./commands/operate/cnf-tasks.ts')).cnfTasks[name],
  ]);
}
