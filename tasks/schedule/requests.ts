import { jobRun } from '../../generators/phases/schedule/job-runs.ts';
import type { Cluster, Job } from '../../generators/cluster/cluster.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { InstalledSchedule, JobRequest } from '../runtime/agent/schedule-messages.ts';
import type { Failure } from '../runtime/failures.ts';
import { operator } from '../runtime/operator.ts';
import type { World } from '../runtime/world.ts';
import type { RenderedBundle } from '../steps/bundle/bundle.ts';
import type { Revision } from '../steps/bundle/review.ts';
import { lengthsOf, metaOf } from '../steps/run/execute.ts';
import { heldMachines } from '../steps/run/lock.ts';
import { messageSecrets, receiversOf, secretsOf } from '../steps/run/messages.ts';
import { prepare } from '../steps/run/prepare.ts';

/** Every job of a definition as the request that a client would send for it; all that cannot run in one failure. */
export async function scheduleRequest(
  rendered: RenderedBundle,
  revision: Revision,
  world: World,
): Promise<Result<InstalledSchedule, Failure>> {
  const { cluster, bundle } = rendered;
  if (cluster.schedule === undefined) return failed(noSchedule);
  const { jobs, secretsFolder } = cluster.schedule;
  const made = await Promise.all(
    jobs.map(async (job) => [job.name, await jobRequest(rendered, { job, revision }, world)] as const),
  );
  const wrong = made.flatMap(([name, request]) =>
    request.ok ? [] : [`${name}: ${request.failure.message}`],
  );
  if (wrong.length > 0) return failed({ kind: 'usage', message: wrong.join('\n') });
  return ok({
    digest: bundle.digest,
    who: await operator(world.cwd),
    secretsFolder,
    variables: variablesOf(cluster, jobs),
    messages: receiversOf(cluster),
    jobs: Object.fromEntries(made.flatMap(([name, request]) => (request.ok ? [[name, request.value]] : []))),
  });
}

/** What any of the jobs reads, each once. */
function variablesOf(cluster: Cluster, jobs: readonly Job[]): readonly string[] {
  const uses = jobs.flatMap(({ name }) => secretsOf(cluster, jobRun(name).playbook));
  return [...new Set([...uses, ...messageSecrets(cluster)].map(({ variable }) => variable))];
}

async function jobRequest(
  rendered: RenderedBundle,
  { job: { name }, revision }: { readonly job: Job; readonly revision: Revision },
  world: World,
): Promise<Result<JobRequest, Failure>> {
  const { cluster } = rendered;
  const { playbook, check, tags } = jobRun(name);
  const options = { ...(check ? { check, diff: true } : {}), ...(tags.length > 0 ? { tags } : {}) };
  const prepared = await prepare(rendered, { playbook, options, confirm: cluster.name }, world);
  if (!prepared.ok) return prepared;
  const { steps } = prepared.value;
  const known = { ...revision, plays: steps.plays.length, tasks: steps.tasks };
  const meta = await metaOf(rendered, known, { ...world, commandLine: ['task', 'schedule', name] });
  return ok({
    playbook: `${prepared.value.playbook}.yml`,
    options: prepared.value.options,
    outline: lengthsOf(steps),
    meta: { ...meta, operator: `the schedule of ${meta.operator}` },
    machines: heldMachines(cluster),
  });
}

export const noSchedule: Failure = {
  kind: 'usage',
  message: 'the definition has no `schedule`',
  next: 'npx task help definition says where its keys are explained',
};
