import type { Collector } from '../../generators/report/collector.ts';
import { kindOf } from '../../generators/kinds/kinds.ts';
import { mainPlaybook } from '../../generators/playbooks.ts';
import { drillOf } from '../../generators/report/drill.ts';
import type {
  DriftReport,
  DrillReport,
  FleetLine,
  LabelledValue,
  PlanReport,
  Report,
} from '../../generators/report/report.ts';
import { runReport } from '../../generators/report/run-report.ts';
import type { RunBrief, RunRecord } from '../runtime/agent/run-records.ts';
import { version } from '../runtime/package.ts';
import type { RenderedBundle } from '../steps/bundle/bundle.ts';
import { headOf, historyOf } from './head.ts';

/** What a report is put together from. */
export interface Parts {
  readonly rendered: RenderedBundle;
  /** The run that it is about; left out: the cluster as a whole. */
  readonly run?: { readonly record: RunBrief & Partial<RunRecord>; readonly collected: Collector };
  /** Copies of records, the latest last. */
  readonly records: readonly RunRecord[];
  readonly plan: PlanReport | undefined;
  /** Clusters of a fleet, where it is about all of them. */
  readonly fleet?: readonly FleetLine[];
  readonly live: boolean;
  /** ISO 8601, UTC. */
  readonly now: string;
  readonly notes: readonly string[];
}

/** Everything that the page shows. */
export function compose({ rendered, run, records, plan, fleet, live, now, notes }: Parts): Report {
  const { cluster, bundle } = rendered;
  const topology = kindOf(cluster).topology?.(cluster);
  const drift = driftOf(records, mainPlaybook(cluster));
  return {
    cluster: cluster.name,
    written: now,
    live,
    notes: [...notes, ...(run ? notesOn(run.record, bundle.digest) : [])],
    ...(run ? { run: runReport(headOf(run.record, now), run.collected) } : {}),
    ...drillReport(run?.record),
    ...(topology ? { topology } : {}),
    ...(plan ? { plan } : {}),
    ...(fleet ? { fleet } : {}),
    ...(drift ? { drift } : {}),
    history: historyOf(records, 20),
    versions: versionsOf(rendered, run?.record),
  };
}

function drillReport({ results, previous }: Partial<RunRecord> = {}): { readonly drill?: DrillReport } {
  const now = drillOf(results);
  const before = drillOf(previous?.results);
  return now === undefined ? {} : { drill: { now, ...(before ? { before } : {}) } };
}

function notesOn(
  { digest, eventsLost = 0, status }: Parameters<typeof headOf>[0] & Partial<RunRecord>,
  wanted: string,
): string[] {
  return [
    digest === wanted
      ? ''
      : 'The definition was changed since this run: topology and plan are those of the definition as it is now.',
    eventsLost > 0 ? `${eventsLost} events are missing: the disk of the Ansible server was full.` : '',
    status === 'lost'
      ? 'Nobody wrote down how this run ended: its process on the Ansible server is gone.'
      : '',
  ].filter((note) => note !== '');
}

/** The last run that compared all hosts, from its recap. */
function driftOf(records: readonly RunRecord[], playbook: string): DriftReport | undefined {
  const last = records.findLast(
    ({ options, playbook: name, status }) =>
      options.check === true &&
      options.limit === undefined &&
      name === `${playbook}.yml` &&
      (status === 'successful' || status === 'failed' || status === 'unreachable'),
  );
  if (last === undefined) return undefined;
  const hosts = Object.values(last.recap ?? {});
  return {
    run: last.run,
    when: last.started,
    differences: hosts.reduce((sum, { changed }) => sum + changed, 0),
    unknown: hosts.reduce((sum, { failed, unreachable }) => sum + failed + unreachable, 0),
  };
}

function versionsOf({ cluster }: RenderedBundle, record: Partial<RunRecord> = {}): readonly LabelledValue[] {
  const pairs = [
    ...kindOf(cluster).versions(cluster),
    ...Object.entries(record.versions ?? {}),
    ['Playsmith', version] as const,
  ];
  return pairs.map(([label, value]) => ({ label, value })).filter(({ value }) => value !== '');
}
