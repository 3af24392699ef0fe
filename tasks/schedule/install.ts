import { failed, ok, type Result } from '../../generators/result.ts';
import { agentProgram } from '../runtime/agent/program.ts';
import type { Failure } from '../runtime/failures.ts';
import type { World } from '../runtime/world.ts';
import { renderBundle, type DefinitionPlace } from '../steps/bundle/bundle.ts';
import { push } from '../steps/bundle/push.ts';
import { requireReview } from '../steps/bundle/review.ts';
import { execute, type ReadyRun } from '../steps/run/execute.ts';
import { prepare } from '../steps/run/prepare.ts';
import { reach } from '../steps/server/reach.ts';
import { noSchedule, scheduleRequest } from './requests.ts';

/** Runs the playbook that puts units on the Ansible server, and where it succeeded leaves there what their jobs need. */
export async function installSchedule(place: DefinitionPlace, world: World): Promise<Result<void, Failure>> {
  const ready = await readyFor(place, 'present', world);
  if (!ready.ok) return ready;
  const request = await scheduleRequest(ready.value, ready.value.revision, world);
  if (!request.ok) return request;
  return onServer(ready.value, async (run) => {
    const pushed = await push(run.server, run.bundle);
    if (!pushed.ok) return pushed;
    const { name: cluster } = run.cluster;
    const program = agentProgram().toString('base64');
    const keep = (check: boolean) =>
      run.server.agent().ask('keep-schedule', { cluster, program, schedule: request.value, check });
    // A unit whose jobs are not there begins nothing; jobs of a run that was refused would belong to other units.
    const judged = await keep(true);
    if (!judged.ok) return judged;
    const ran = await execute(run, world);
    if (!ran.ok) return failed(withoutJobs(ran.failure));
    const kept = await keep(false);
    return kept.ok ? ok(undefined) : kept;
  });
}

/** A run that goes on without us puts units there, whose jobs nobody leaves. */
const withoutJobs = (failure: Failure): Failure =>
  failure.kind === 'left'
    ? { ...failure, next: `${failure.next}; then npx task schedule install, which leaves what the jobs need` }
    : failure;

/** Takes away what jobs need, so that none begins any more, then their units. */
export async function removeSchedule(place: DefinitionPlace, world: World): Promise<Result<void, Failure>> {
  const ready = await readyFor(place, 'absent', world);
  if (!ready.ok) return ready;
  return onServer(ready.value, async (run) => {
    const removed = await run.server.agent().ask('forget-schedule', { cluster: run.cluster.name });
    return removed.ok ? execute(run, world) : removed;
  });
}

type OfflineRun = Omit<ReadyRun, 'server'>;

/** Everything that can be refused without a connection. */
async function readyFor(
  place: DefinitionPlace,
  state: 'present' | 'absent',
  world: World,
): Promise<Result<OfflineRun, Failure>> {
  const rendered = await renderBundle(place, world);
  if (!rendered.ok) return rendered;
  if (rendered.value.cluster.schedule === undefined) return failed(noSchedule);
  const asked = { playbook: 'schedule', options: {}, given: [`schedule_state=${state}`] };
  const prepared = await prepare(rendered.value, asked, world);
  if (!prepared.ok) return prepared;
  const revision = await requireReview(rendered.value);
  // It works on the Ansible server alone, which needs none of the secrets by which hosts are reached.
  return revision.ok ? ok({ ...prepared.value, revision: revision.value, secrets: new Map() }) : revision;
}

async function onServer(
  ready: OfflineRun,
  work: (run: ReadyRun) => Promise<Result<void, Failure>>,
): Promise<Result<void, Failure>> {
  const server = await reach(ready);
  if (!server.ok) return server;
  try {
    return await work({ ...ready, server: server.value });
  } finally {
    await server.value.close();
  }
}
