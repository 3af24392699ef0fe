import { join } from 'node:path';
import process from 'node:process';
import { conformanceLines, conformanceOf } from '../../../generators/report/conformance.ts';
import { drillLines, drillOf } from '../../../generators/report/drill.ts';
import { failed, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import { operator } from '../../runtime/operator.ts';
import type { Server } from '../../runtime/server.ts';
import type { World } from '../../runtime/world.ts';
import { follow, type FollowEnding } from './follow.ts';
import type { DefinitionFile } from '../definition/load.ts';
import { cancel, cancellationResult } from './lock.ts';
import { fetchRecord } from './record.ts';
import { verdict } from './verdict.ts';

export interface WatchedRun {
  readonly loaded: DefinitionFile;
  readonly server: Server;
  readonly run: string;
  /** Counter of the first event wanted; 0: all. */
  readonly from: number;
  /** Tasks of the playbook with those of every batch. */
  readonly total: number;
}

/** Where copies of records are kept, below the folder that the task was called in; ignored by git. */
export const keepsake = '.playsmith';

/** Follows a run to its end, or until the person leaves it; Ctrl-C asks which. Then keeps the record here. */
export async function watch(watched: WatchedRun, world: World): Promise<Result<void, Failure>> {
  const { loaded, server, run, from, total } = watched;
  const leaving = new AbortController();
  const stopListening = onInterrupt(() => leaveOrCancel(watched, leaving, world));
  try {
    const { report } = world;
    const followed = await follow(server, {
      ...{ cluster: loaded.cluster.name, run, from, total, report },
      signal: leaving.signal,
    });
    return followed.ok ? await conclude(followed.value, watched, world) : followed;
  } finally {
    stopListening();
  }
}

async function conclude(
  ended: FollowEnding,
  { loaded, server, run }: WatchedRun,
  world: World,
): Promise<Result<void, Failure>> {
  if (ended.status === 'left')
    return failed({
      kind: 'left',
      message: `run ${run} goes on at the server`,
      next: `npx task attach ${run}`,
    });
  const folder = join(world.cwd, keepsake);
  const kept = await fetchRecord(server, { cluster: loaded.cluster.name, run: ended.run, folder });
  if (kept.ok)
    world.report({ type: 'note', text: `record: ${join(keepsake, kept.value.path.slice(folder.length))}` });
  else world.report({ type: 'warning', text: `the record stays on the server: ${kept.failure.message}` });
  const drill = drillOf(ended.results);
  for (const text of drill ? drillLines(drill, drillOf(ended.previous?.results)) : [])
    world.report({ type: 'note', text });
  const judged = conformanceOf(ended.results);
  for (const text of judged ? conformanceLines(judged) : []) world.report({ type: 'note', text });
  return verdict(ended);
}

/** The first Ctrl-C asks (without a terminal it leaves), the second leaves at once. */
async function leaveOrCancel(
  { loaded, server, run }: WatchedRun,
  leaving: AbortController,
  world: World,
): Promise<void> {
  const answer = await world.ask(
    '\nThe run goes on at the server. [f]ollow on, [l]eave it running, or [c]ancel it? ',
  );
  if (answer === undefined || /^l/i.test(answer)) leaving.abort();
  if (answer === undefined || !/^c/i.test(answer)) return;
  const who = await operator(world.cwd);
  const cancelled = await cancel(server, { cluster: loaded.cluster.name, run, who });
  const ended = cancelled.ok ? cancellationResult(cancelled.value) : cancelled;
  if (!ended.ok) world.report({ type: 'warning', text: ended.failure.message });
}

/** Calls `ask` for the first signal; another one while it asks ends the question, which means to leave. */
function onInterrupt(ask: () => Promise<void>): () => void {
  let asking = false;
  const onSignal = (): void => {
    if (asking) return;
    asking = true;
    void ask().finally(() => {
      asking = false;
    });
  };
  // Every run that is followed listens, and a fleet may follow hundreds.
  process.setMaxListeners(0);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, onSignal);
  };
}
