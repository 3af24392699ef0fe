import { join } from 'node:path';
import { sha256 } from '../../generators/digest.ts';
import type { Fact } from '../../generators/plan/applied.ts';
import type { Journal } from '../../generators/plan/journal.ts';
import type { UnfinishedRun } from '../../generators/plan/resume.ts';
import { step } from '../../generators/plan/step.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { RunOptions } from '../runtime/agent/run-records.ts';
import { readEventLines } from '../runtime/event-lines.ts';
import type { Failure } from '../runtime/failures.ts';
import type { Server } from '../runtime/server.ts';
import type { Life } from '../steps/state/life.ts';
import { fetchRecord } from '../steps/run/record.ts';

/** What can be taken up: the journal of an apply, or of one run that nobody had planned. */
export const openJournal = (life: Life, cluster: string): Journal | undefined =>
  life.journal?.state === 'open'
    ? life.journal
    : life.unfinished &&
      journalOfRun(life.unfinished, { cluster, applied: life.applied.whole?.bundle ?? '' });

function journalOfRun(
  { operation, targets, bundle, run, effect }: Fact,
  { cluster, applied }: { readonly cluster: string; readonly applied: string },
): Journal {
  const brings = effect.brings.filter((phase) => phase !== operation);
  const again = step(operation, [`${run} did not complete`], {
    targets,
    brings: targets.length > 0 ? brings : [],
    from: bundle === applied && operation === 'scale-in' ? 'applied' : 'wanted',
  });
  return {
    apiVersion: 'playsmith/v1',
    kind: 'Journal',
    cluster,
    plan: sha256(run),
    who: '',
    started: '',
    state: 'open',
    steps: [{ ...again, ...dangerOf(operation, targets), state: 'failed', run, bundle }],
  };
}

/** What was dangerous is so again. */
const dangerOf = (operation: string, targets: readonly string[]): object =>
  operation === 'scale-in' || operation === 'replace-node' || operation === 'cnf-terminate'
    ? { danger: 'remove', confirm: targets.join(',') }
    : {};

export interface StoppedRun extends UnfinishedRun {
  /** What it was asked besides its playbook. */
  readonly options: RunOptions;
}

/** How far the run of a step came. A run that is lost has no record of its end, but its events. */
export async function stoppedRun(
  server: Server,
  { cluster, run, folder }: { readonly cluster: string; readonly run: string; readonly folder: string },
): Promise<Result<StoppedRun, Failure>> {
  if (run === '') return ok({ hosts: [], plays: [], options: {} });
  const fetched = await fetchRecord(server, { cluster, run, folder });
  if (!fetched.ok) return fetched;
  const { record, path } = fetched.value;
  if (record.status === 'running')
    return failed({
      kind: 'run',
      message: `${run} is still running`,
      next: `Follow it with \`npx task attach ${run}\``,
    });
  const recap = Object.entries(record.recap ?? {});
  const hosts = recap.filter(([, host]) => host.failed + host.unreachable > 0).map(([name]) => name);
  return ok({ hosts, plays: await playsIn(join(path, 'events.ndjson.gz')), options: record.options });
}

interface PlayStart {
  readonly event?: string;
  readonly event_data?: { readonly name?: string };
}

async function playsIn(path: string): Promise<readonly string[]> {
  const plays: string[] = [];
  await readEventLines(path, ({ event, event_data: data }: PlayStart) => {
    if (event === 'playbook_on_play_start' && data?.name !== undefined) plays.push(data.name);
  });
  return plays;
}
