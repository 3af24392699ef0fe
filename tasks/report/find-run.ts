import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Collector } from '../../generators/report/collector.ts';
import type { PlanReport } from '../../generators/report/report.ts';
import type { RunRecord } from '../runtime/agent/run-records.ts';
import type { Failure } from '../runtime/failures.ts';
import type { Server } from '../runtime/server.ts';
import { fetchRecord, localRecords } from '../steps/run/record.ts';
import { runStatus } from '../steps/run/runs.ts';
import { keptPlans } from '../steps/state/plans.ts';
import { readEvents } from './read-events.ts';

/** A run with everything that is known of it. */
export interface FoundRun {
  readonly record: RunRecord;
  readonly collected: Collector;
  readonly plan: PlanReport | undefined;
  readonly notes: readonly string[];
}

export interface RunQuery {
  readonly cluster: string;
  /** Empty: the latest. */
  readonly run: string;
  /** Where copies of records lie. */
  readonly folder: string;
}

/** A run from its copy here; undefined where there is none that is complete. */
export async function localRun({ cluster, run, folder }: RunQuery): Promise<FoundRun | undefined> {
  const records = (await localRecords(folder, cluster)).filter(({ ended }) => ended !== null);
  const record = run === '' ? records.at(-1) : records.find((each) => each.run === run);
  return record === undefined ? undefined : readRun(join(folder, 'runs', cluster, record.run), record);
}

/** A run from the server, where its copy here is not complete; one that goes on is read as far as it came. */
export async function remoteRun(server: Server, wanted: RunQuery): Promise<Result<FoundRun, Failure>> {
  const status = await runStatus(server, wanted);
  if (!status.ok) return status;
  const { run } = status.value;
  const local = await localRun({ ...wanted, run });
  if (local !== undefined) return ok(local);
  const runs = status.value.status === 'running';
  const folder = runs ? await mkdtemp(join(tmpdir(), 'playsmith-report-')) : wanted.folder;
  try {
    const fetched = await fetchRecord(server, { cluster: wanted.cluster, run, folder });
    return fetched.ok ? ok(await readRun(fetched.value.path, fetched.value.record)) : failed(fetched.failure);
  } finally {
    if (runs) await rm(folder, { recursive: true, force: true });
  }
}

async function readRun(path: string, record: RunRecord): Promise<FoundRun> {
  const { collected, unread } = await readEvents(join(path, 'events.ndjson.gz'));
  const notes = unread > 0 ? ['The events of this run could not be read to their end.'] : [];
  return { record, collected, plan: await keptPlans(path), notes };
}
