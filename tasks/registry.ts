import type { CnfOperation } from '../generators/phases/cnf/cnf.ts';
import type { TaskName } from './overview/summaries.ts';
import type { Task } from './task.ts';

/** Every task, loaded when it is asked for. What help says of it, and where, stands in overview/. */
export const registry: ReadonlyMap<string, () => Promise<Task>> = new Map<TaskName, () => Promise<Task>>([
  ['init', async () => (await import('./init.ts')).init],
  ['import', async () => (await import('./import.ts')).importTask],
  ['check', async () => (await import('./check.ts')).check],
  ['versions', async () => (await import('./versions.ts')).versions],
  ['schema', async () => (await import('./schema.ts')).schema],
  ['render', async () => (await import('./render.ts')).render],
  ['diff', async () => (await import('./diff.ts')).diff],
  ['trust', async () => (await import('./trust.ts')).trust],
  ['bootstrap', async () => (await import('./bootstrap.ts')).bootstrap],
  ['probe', async () => (await import('./probe.ts')).probe],
  ['doctor', async () => (await import('./doctor.ts')).doctor],
  ['artifacts', async () => (await import('./artifacts.ts')).artifacts],
  ['push', async () => (await import('./push.ts')).push],
  ['run', async () => (await import('./run.ts')).run],
  ...operations('scale-out', 'scale-in', 'heal-node', 'replace-node'),
  ...operations('heal-storage', 'heal-cluster'),
  ...operations('upgrade', 'rotate-certificates', 'restore', 'terminate'),
  ...cnfs('cnf-instantiate', 'cnf-scale', 'cnf-heal', 'cnf-update', 'cnf-terminate', 'cnf-status'),
  ['plan', async () => (await import('./plan.ts')).plan],
  ['apply', async () => (await import('./apply.ts')).apply],
  ['resume', async () => (await import('./resume.ts')).resume],
  ['drill', async () => (await import('./drill.ts')).drill],
  ['verify', async () => (await import('./verify.ts')).verify],
  ['owner', async () => (await import('./owner.ts')).owner],
  ['drift', async () => (await import('./drift.ts')).drift],
  ['kubeconfig', async () => (await import('./kubeconfig.ts')).kubeconfig],
  ['export', async () => (await import('./export.ts')).exportTask],
  ['backup', async () => (await import('./backup.ts')).backup],
  ['runs', async () => (await import('./runs.ts')).runs],
  ['logs', async () => (await import('./logs.ts')).logs],
  ['attach', async () => (await import('./attach.ts')).attach],
  ['report', async () => (await import('./report.ts')).report],
  ['explain', async () => (await import('./explain.ts')).explain],
  ['cancel', async () => (await import('./cancel.ts')).cancel],
  ['unlock', async () => (await import('./unlock.ts')).unlock],
  ['gc', async () => (await import('./gc.ts')).gc],
  ['fleet', async () => (await import('./fleet.ts')).fleet],
  ['help', async () => (await import('./help.ts')).help],
  ['lab', async () => (await import('./lab.ts')).lab],
]);

function operations(...names: readonly TaskName[]): readonly (readonly [TaskName, () => Promise<Task>])[] {
  return names.map((name) => [
    name,
    async () => {
      const { operationTasks } = await import('./operation-tasks.ts');
      const found = operationTasks[name];
      if (found === undefined) throw new Error(`no operation ${name}`);
      return found;
    },
  ]);
}

function cnfs(...names: readonly CnfOperation[]): readonly (readonly [CnfOperation, () => Promise<Task>])[] {
  return names.map((name) => [name, async () => (await import('./cnf-tasks.ts')).cnfTasks[name]]);
}
