import type { CertificateEnd } from './certificates.ts';
import type { Drill } from './drill.ts';
import { moment } from './entry.ts';
import type { Metric, MetricSample } from './metrics.ts';

/** What metrics say of one run. Times are ISO 8601, UTC. */
export interface RunSample {
  /** Without `.yml`. */
  readonly playbook: string;
  readonly check: boolean;
  /** False with a limit, tags or a scope. */
  readonly whole: boolean;
  readonly successful: boolean;
  /** null: it goes on. */
  readonly ended: string | null;
  readonly seconds: number | null;
  /** Hosts with a task that changed something, or in check mode would; and hosts that failed or did not answer. */
  readonly changed: number;
  readonly wrong: number;
}

export interface RunHistory {
  readonly cluster: string;
  /** The playbook of all phases. */
  readonly main: string;
  /** The latest last. */
  readonly runs: readonly RunSample[];
  /** What the last run of each drill measured. */
  readonly drills: readonly Drill[];
  /** What the last run that looked at certificates found. */
  readonly certificates: readonly CertificateEnd[];
  /** Since when somebody holds the cluster; undefined: nobody does. */
  readonly lockedSince: string | undefined;
}

/** What is worth an alert: how the last run of each playbook ended and when one last succeeded, drift, drills, the lock. */
export const runMetrics = (of: RunHistory): readonly Metric[] => [
  ...lastRuns(of),
  ...driftMetrics(of),
  ...drillMetrics(of),
  gauge(
    'playsmith_certificate_expires_timestamp_seconds',
    'When a certificate of the control plane expires, as the last run of certificates found it.',
    of.certificates.map(({ host, name, until }) => ({
      labels: { cluster: of.cluster, host, certificate: name },
      value: until / 1000,
    })),
  ),
  gauge(
    'playsmith_lock_since_timestamp_seconds',
    'When the lock of the cluster was taken that is held now.',
    [{ labels: { cluster: of.cluster }, value: secondsOf(of.lockedSince ?? '') }],
  ),
];

const gauge = (name: string, help: string, samples: readonly MetricSample[]): Metric => ({
  name,
  help,
  samples,
});

/** Seconds since 1970, as Prometheus wants times; NaN for what is no time. */
const secondsOf = (text: string): number => moment(text) / 1000;

function lastRuns({ cluster, runs }: RunHistory): readonly Metric[] {
  const ended = runs.filter((run) => run.ended !== null);
  const all = lastOfEach(ended);
  const succeeded = lastOfEach(ended.filter(({ successful }) => successful));
  const of = (from: readonly RunSample[], value: (run: RunSample) => number): readonly MetricSample[] =>
    from.map((run) => ({
      labels: { cluster, playbook: run.playbook, mode: run.check ? 'check' : 'apply' },
      value: value(run),
    }));
  const end = ({ ended: at }: RunSample): number => secondsOf(at ?? '');
  return [
    gauge('playsmith_run_ended_timestamp_seconds', 'When the last run of the playbook ended.', of(all, end)),
    gauge(
      'playsmith_run_successful',
      'Whether the last run of the playbook succeeded.',
      of(all, (run) => Number(run.successful)),
    ),
    gauge(
      'playsmith_run_duration_seconds',
      'How long the last run of the playbook took.',
      of(all, (run) => run.seconds ?? Number.NaN),
    ),
    gauge(
      'playsmith_run_succeeded_timestamp_seconds',
      'When a run of the playbook last succeeded.',
      of(succeeded, end),
    ),
    gauge('playsmith_runs_going_on', 'How many runs go on.', [
      { labels: { cluster }, value: runs.length - ended.length },
    ]),
  ];
}

/** Runs of some hosts or some tasks do not say how the playbook as a whole ended, but they did run. */
function lastOfEach(runs: readonly RunSample[]): readonly RunSample[] {
  const last = new Map(runs.map((run) => [`${run.playbook} ${String(run.check)}`, run]));
  return [...last.values()].sort((a, b) => (a.playbook < b.playbook ? -1 : 1));
}

/** A whole run of all phases in check mode is what `drift` does: what it would change is what differs. */
function driftMetrics({ cluster, main, runs }: RunHistory): readonly Metric[] {
  const last = runs.findLast((run) => run.ended !== null && run.playbook === main && run.check && run.whole);
  const of = (value: number): readonly MetricSample[] => (last ? [{ labels: { cluster }, value }] : []);
  return [
    gauge(
      'playsmith_drift_hosts',
      'Hosts that differed from the bundle when they were last compared.',
      of(last?.changed ?? 0),
    ),
    gauge('playsmith_drift_unknown_hosts', 'Hosts that could not be compared then.', of(last?.wrong ?? 0)),
    gauge(
      'playsmith_drift_compared_timestamp_seconds',
      'When hosts were last compared with the bundle.',
      of(secondsOf(last?.ended ?? '')),
    ),
  ];
}

function drillMetrics({ cluster, drills }: RunHistory): readonly Metric[] {
  const rounds = drills.flatMap(({ name, rounds: of }) =>
    of.map((round) => ({ labels: { cluster, drill: name, fault: round.fault }, round })),
  );
  return [
    gauge(
      'playsmith_drill_unanswered_seconds',
      'Longest time without an answer in the last drill.',
      rounds.map(({ labels, round }) => ({ labels, value: round.longest })),
    ),
    gauge(
      'playsmith_drill_recovered_seconds',
      'Time from the end of the fault until the cluster was whole.',
      rounds.map(({ labels, round }) => ({ labels, value: round.recovered })),
    ),
    gauge(
      'playsmith_drill_limit_seconds',
      'Longest time without an answer that the definition allows; 0: no limit.',
      drills.map(({ name, limit }) => ({ labels: { cluster, drill: name }, value: limit })),
    ),
  ];
}
