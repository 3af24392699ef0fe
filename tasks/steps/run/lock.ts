import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Answers } from '../../runtime/agent/messages.ts';
import type { CancelledRun, HeldMachine } from '../../runtime/agent/run-records.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { Server } from '../../runtime/server.ts';

/** What the lock of a run holds: whoever logs in to the jump host, and by which name, makes no other machine. */
export const heldMachines = ({ machines }: Pick<Cluster, 'machines'>): readonly HeldMachine[] =>
  machines.map(({ name, ssh: { host, port, proxyJump } }) => {
    const jump = proxyJump === '' ? '' : ` through ${proxyJump.replace(/^.*@/, '')}`;
    return { name, at: `${host.toLowerCase()}${port === 22 ? '' : ` port ${port}`}${jump}` };
  });

/** Removes a stale lock; one whose holder lives only with `force`. */
export const unlock = (
  server: Server,
  { cluster, force }: { readonly cluster: string; readonly force: boolean },
): Promise<Result<Answers['unlock'], Failure>> => server.agent().ask('unlock', { cluster, force });

/** Asks a run to end as Ctrl-C would, and kills it when it does not; returns when it has ended, or after 50 s. */
export const cancel = (
  server: Server,
  request: { readonly cluster: string; readonly run: string; readonly who: string },
): Promise<Result<CancelledRun, Failure>> => server.agent().ask('cancel', request);

/** Whether everything of the run has ended; what has not is named, and holds the lock. */
export const cancellationResult = ({ run, status, unstopped }: CancelledRun): Result<void, Failure> =>
  status !== 'running' && unstopped.length === 0
    ? ok(undefined)
    : failed({
        kind: 'run',
        message: `run ${run} was told to stop, but some of it is still running: ${unstopped.join('; ') || 'its supervisor does not answer'}`,
        next: `Stop what is named, or wait until it ends; \`npx task cancel ${run}\` checks again`,
      });

/** Whose lock was removed, if there was one. */
export function unlockedText(
  cluster: string,
  { removed, holder, unstopped = [] }: Answers['unlock'],
): string {
  const held = holder ? `, held since ${holder.since} by ${holder.who} for ${holder.what}` : '';
  const left = unstopped.length === 0 ? '' : `; what could not be stopped goes on: ${unstopped.join('; ')}`;
  return removed ? `${cluster} is unlocked${held}${left}` : `${cluster} is not locked`;
}
