import type { Drill } from './drill.ts';
import type { Topology } from '../topology/picture.ts';

/** Everything that a page shows. Plain JSON data; times in milliseconds, those of a run counted from its start. */
export interface Report {
  readonly cluster: string;
  /** ISO 8601, UTC: when this was put together. */
  readonly written: string;
  /** True while the page follows a run. */
  readonly live: boolean;
  /** What a reader has to know about where this comes from, one sentence each. */
  readonly notes: readonly string[];
  readonly run?: RunReport;
  /** What the run measured, where it was a drill. */
  readonly drill?: DrillReport;
  readonly topology?: Topology;
  readonly plan?: PlanReport;
  readonly drift?: DriftReport;
  /** What it tells of the clusters of a fleet; left out: it is about one cluster. */
  readonly fleet?: readonly FleetLine[];
  /** The latest first. */
  readonly history: readonly HistoryLine[];
  readonly versions: readonly LabelledValue[];
}

export interface LabelledValue {
  readonly label: string;
  readonly value: string;
}

/** A drill, and the last one of its name before. */
export interface DrillReport {
  readonly now: Drill;
  readonly before?: Drill;
}

/** Steps as a plan tells them; a state that nobody wrote down is left out. */
export interface PlanReport {
  readonly before?: readonly PlanLine[];
  readonly after?: readonly PlanLine[];
}

export interface PlanLine {
  readonly operation: string;
  readonly targets: readonly string[];
  readonly reasons: readonly string[];
  readonly danger: string;
}

/** What the last run in check mode would have changed. */
export interface DriftReport {
  readonly run: string;
  readonly when: string;
  readonly differences: number;
  /** Tasks that could not be looked at, or hosts that did not answer. */
  readonly unknown: number;
}

/** One cluster of a fleet with its latest run. */
export interface FleetLine {
  readonly cluster: string;
  readonly site: string;
  readonly node: string;
  /** As `key=value`. */
  readonly labels: readonly string[];
  /** How the latest run ended; `never run`, or `not known`. */
  readonly status: string;
  readonly run: string;
  readonly playbook: string;
  readonly check: boolean;
  readonly started: string;
  /** 0 for a run that has not ended. */
  readonly seconds: number;
  readonly operator: string;
  /** Who holds its lock and for what, or empty. */
  readonly lock: string;
  /** Why nothing is known, or empty. */
  readonly problem: string;
}

export interface HistoryLine {
  readonly run: string;
  readonly playbook: string;
  readonly check: boolean;
  readonly status: string;
  readonly started: string;
  /** 0 for a run that has not ended. */
  readonly seconds: number;
  readonly hosts: number;
  readonly changed: number;
  readonly operator: string;
  readonly digest: string;
}

/** What is known of a run before its first event. */
export interface RunHead {
  readonly id: string;
  readonly playbook: string;
  readonly status: string;
  readonly check: boolean;
  readonly started: string;
  readonly ended: string;
  readonly seconds: number;
  /** Tasks of the playbook with those of every batch; 0: not known. */
  readonly total: number;
  readonly facts: readonly LabelledValue[];
}

export interface RunReport extends RunHead {
  readonly hosts: readonly HostLine[];
  readonly plays: readonly PlayLine[];
  readonly tasks: readonly TaskLine[];
  readonly lanes: readonly Lane[];
  readonly failures: readonly FailureLine[];
  readonly changes: readonly ChangeLine[];
  /** Each text once; changes name them by their place. */
  readonly diffs: readonly string[];
  /** What did not find room in the page, one sentence each. */
  readonly leftOut: readonly string[];
  readonly warnings: readonly string[];
  /** The message of tasks that speak, the latest last. */
  readonly words: readonly LabelledValue[];
}

export interface HostLine {
  readonly name: string;
  readonly ok: number;
  readonly changed: number;
  readonly failed: number;
  readonly unreachable: number;
  readonly skipped: number;
  readonly ignored: number;
  /** Time in tasks. */
  readonly busy: number;
  /** Time in which others waited for it alone. */
  readonly heldUp: number;
}

/** One play, or one batch of one. */
export interface PlayLine {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface TaskLine {
  /** Places in `plays`. */
  readonly play: number;
  readonly name: string;
  readonly handler: boolean;
  readonly from: number;
  readonly to: number;
  /** How many hosts ended how. */
  readonly counts: Readonly<Partial<Record<string, number>>>;
  /** The host that ended last, a place in `hosts`; -1: none ended. */
  readonly last: number;
  /** How long that host took itself. */
  readonly longest: number;
  /** Sum over hosts of the time from their own end to the end of the last. */
  readonly waited: number;
  /** How many tasks were taken together here; 1: it is one. */
  readonly of: number;
}

/** The bars of one host: [from, to, place in `statuses`, place of its task, how many tasks it stands for]. */
export interface Lane {
  readonly host: number;
  readonly bars: readonly Bar[];
}

export type Bar = readonly [from: number, to: number, status: number, task: number, of: number];

/** What bars name by their place. */
export const statuses = ['ok', 'changed', 'failed', 'ignored', 'unreachable', 'skipped'] as const;

/** One failure, with all hosts that failed alike. */
export interface FailureLine {
  readonly status: 'failed' | 'unreachable';
  readonly hosts: readonly string[];
  readonly play: string;
  readonly task: string;
  readonly at: number;
  readonly message: string;
  readonly output: string;
}

/** One task that changed hosts alike. */
export interface ChangeLine {
  readonly task: string;
  readonly play: string;
  /** Places in `hosts`. */
  readonly hosts: readonly number[];
  /** A place in `diffs`; -1: Ansible showed none. */
  readonly diff: number;
}
