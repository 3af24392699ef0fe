/** How a task ended on one host, as the whole product calls it. */
export type EntryStatus = 'ok' | 'changed' | 'failed' | 'ignored' | 'unreachable' | 'skipped';

/**
 * What happens in a run, in the few kinds that a report is made of. `at` is in milliseconds since 1970, UTC; NaN where
 * nobody knows. A run that is over gives them from its events, one that is followed as it tells them.
 */
export type ReportEntry =
  | { readonly type: 'play'; readonly at: number; readonly name: string }
  | {
      readonly type: 'task';
      readonly at: number;
      readonly name: string;
      /** Ansible's own id of the task, or empty: then tasks are told apart by their names. */
      readonly id: string;
      readonly handler: boolean;
    }
  | HostEntry
  | { readonly type: 'warning'; readonly at: number; readonly text: string };

export interface HostEntry {
  readonly type: 'host';
  readonly at: number;
  readonly host: string;
  readonly task: string;
  readonly id: string;
  readonly status: EntryStatus;
  readonly seconds: number;
  /** The module's words where they matter, else empty. */
  readonly message: string;
  /** What the program printed, of a task that failed; else empty. */
  readonly output: string;
  /** A unified difference that Ansible showed, or empty. */
  readonly diff: string;
}

/** Milliseconds since 1970; ansible-runner writes times of UTC with a zone or without. NaN for what is no time. */
export const moment = (text: string): number =>
  Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
