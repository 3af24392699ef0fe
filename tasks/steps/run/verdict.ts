import { drillLines, drillOf, tooSlow } from '../../../generators/report/drill.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { HostFailure, RunEnding } from '../../runtime/agent/run-records.ts';
import type { Failure } from '../../runtime/failures.ts';

/** How a run ended, as a success or as the failure that its exit code comes from. */
export function verdict(ending: RunEnding): Result<void, Failure> {
  const { run, playbook, status, tail } = ending;
  const changed = ending.changedWhileRunning ?? [];
  switch (status) {
    case 'successful':
      return slow(ending);
    case 'canceled':
      return failed({ kind: 'cancelled', message: `${playbook} was cancelled` });
    case 'failed':
    case 'unreachable':
      return failed(hostFailure(status, ending));
    case 'error':
      if (changed.length > 0) return failed(changedFailure(playbook, run, changed));
      return failed({
        kind: 'playbook',
        message:
          ending.exitStatus === 0
            ? `${playbook} ended without a word of how it went on which host: Ansible was not heard to its end`
            : `${playbook} ended before its end: Ansible says why (status ${ending.exitStatus ?? 'unknown'})`,
        evidence: tail.join('\n'),
        next: wholeOutput(run),
      });
    case 'lost':
      return failed({
        kind: 'run',
        message: `${playbook} was lost: its process on the Ansible server is gone (a reboot, or a kill), and nothing recorded how it ended`,
        next: `See how far it came with \`npx task logs ${run}\`; then \`npx task unlock\`, and run it again`,
      });
    case 'running':
      return failed({
        kind: 'run',
        message: `${playbook} is still running`,
        next: `Follow it with \`npx task attach ${run}\``,
      });
  }
}

const changedFailure = (playbook: string, run: string, changed: readonly string[]): Failure => ({
  kind: 'bundle',
  message: `${playbook} finished, but its copy of the bundle was changed while it ran: what it did may not be what was reviewed`,
  evidence: [
    ...changed,
    `Find out who works as that user on the Ansible server; npx task logs ${run} tells what was done.`,
  ].join('\n'),
});

/** A drill that did what it should may still have shown that clients wait too long. */
function slow({ results, previous, run }: RunEnding): Result<void, Failure> {
  const drill = drillOf(results);
  const rounds = drill === undefined ? [] : tooSlow(drill);
  if (drill === undefined || rounds.length === 0) return ok(undefined);
  const worst = Math.max(...rounds.map(({ longest }) => longest));
  return failed({
    kind: 'slow',
    message: `drill ${drill.name}: clients had no answer for ${worst.toFixed(1)} s; the definition allows ${drill.limit} s`,
    evidence: drillLines({ ...drill, rounds }, drillOf(previous?.results)).join('\n'),
    next: `Everything was reverted. \`npx task report ${run}\` shows the drill`,
  });
}

function hostFailure(
  status: 'failed' | 'unreachable',
  { run, playbook, failures, tail }: RunEnding,
): Failure {
  const relevant = failures.filter((failure) => failure.status === status);
  const hosts = relevant.map(({ host }) => host).sort();
  const which = hosts.length === 0 ? '' : ` on ${hosts.join(', ')}`;
  const message =
    status === 'failed'
      ? `${playbook} failed${which}`
      : `${playbook} could not reach ${hosts.join(', ') || 'a host'}`;
  const evidence = relevant.length === 0 ? tail.join('\n') : byTask(failures).join('\n');
  return {
    kind: status === 'failed' ? 'playbook' : 'unreachable',
    message,
    evidence,
    next: wholeOutput(run),
  };
}

const wholeOutput = (run: string): string => `The whole output: \`npx task logs ${run}\``;

/** Hosts that say the same in the same task share the lines. */
function byTask(failures: readonly HostFailure[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { host, task, status, message } of failures) {
    const text = `TASK [${task}]${status === 'unreachable' ? ' unreachable' : ''}: ${message.replaceAll('\n', '\n  ')}`;
    groups.set(text, [...(groups.get(text) ?? []), host]);
  }
  return [...groups].map(([text, hosts]) => `${hosts.sort().join(', ')}: ${text}`);
}
