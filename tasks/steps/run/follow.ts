import { failed, ok, type Result } from '../../../generators/result.ts';
import type { ServerMessage } from '../../runtime/agent/messages.ts';
import type { RunEnding } from '../../runtime/agent/run-records.ts';
import type { EventSink } from '../../runtime/events.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { Server } from '../../runtime/server.ts';
import { otherRun } from './record.ts';

export interface FollowRequest {
  readonly cluster: string;
  /** Empty: the latest. */
  readonly run: string;
  /** The counter of the first event wanted; 0: all. */
  readonly from: number;
  /** How many tasks the playbook has; handlers are not counted. */
  readonly total: number;
  readonly report: EventSink;
  /** Aborted: stop following; the run goes on. */
  readonly signal?: AbortSignal;
  /** How often in a row a lost connection is opened again without hearing anything new. */
  readonly attempts?: number;
}

/** How a run ended, or that we no longer follow it. */
export type FollowEnding =
  | RunEnding
  | { readonly status: 'left'; readonly run: string; readonly next: number };

/** Reports what happens in a run, from one event on to its end, each event once: a lost connection is opened again. */
export async function follow(server: Server, request: FollowRequest): Promise<Result<FollowEnding, Failure>> {
  const { attempts = 5, signal } = request;
  let next = request.from;
  let patience = attempts;
  const onEvent = (told: ServerMessage): void => {
    if (told.type === undefined || told.counter < next) return;
    next = told.counter + 1;
    patience = attempts;
    report(told, request);
  };
  for (;;) {
    const ended = await followOnce(server, { ...request, from: next }, onEvent);
    if (ended.ok && request.run !== '' && ended.value.run !== request.run)
      return failed(otherRun(server.name, ended.value.run, request.run));
    if (signal?.aborted === true) return ok({ status: 'left', run: request.run, next });
    if (ended.ok || ended.failure.kind !== 'connection' || patience === 0) return finish(ended, request);
    patience -= 1;
    request.report({ type: 'warning', text: `${ended.failure.message}; connecting again` });
    const again = await server.reopen();
    if (!again.ok && again.failure.kind !== 'connection') return again;
  }
}

async function followOnce(
  server: Server,
  { cluster, run, from, signal }: FollowRequest,
  onEvent: (told: ServerMessage) => void,
): Promise<Result<RunEnding, Failure>> {
  const agent = server.agent();
  const hangUp = (): void => {
    agent.close();
  };
  if (signal?.aborted === true) return failed(stoppedFailure);
  signal?.addEventListener('abort', hangUp, { once: true });
  const ended = await agent.ask('follow', { cluster, run, from }, onEvent);
  signal?.removeEventListener('abort', hangUp);
  return ended;
}

const stoppedFailure: Failure = {
  kind: 'connection',
  message: 'Following was stopped',
  next: 'Run `npx task attach`',
};

function report(
  told: Exclude<ServerMessage, { readonly type?: never }>,
  { total, report: tell }: FollowRequest,
): void {
  if (told.type === 'task-started') tell({ ...told, total: Math.max(total, told.number) });
  else if (told.type === 'warning') tell({ type: 'warning', text: told.text });
  else tell(told);
}

function finish(
  ended: Result<RunEnding, Failure>,
  { report: tell }: FollowRequest,
): Result<RunEnding, Failure> {
  if (!ended.ok) return ended;
  const { run, status, recap, seconds, results } = ended.value;
  if (status === 'running') return failed(stoppedFailure);
  for (const text of untold(ended.value)) tell({ type: 'warning', text });
  const said = results === undefined ? {} : { results };
  tell({ type: 'run-finished', run, status, recap, seconds: seconds ?? 0, ...said });
  return ended;
}

function untold({ run, eventsLost, eventsUnread }: RunEnding): string[] {
  const count = (number: number): string => `${number} event${number === 1 ? '' : 's'} of ${run}`;
  return [
    (eventsLost ?? 0) > 0 ? `${count(eventsLost ?? 0)} did not get onto the disk of the Ansible server` : '',
    (eventsUnread ?? 0) > 0
      ? `${count(eventsUnread ?? 0)} cannot be read: the disk of the Ansible server lost or changed them`
      : '',
  ].filter((text) => text !== '');
}
