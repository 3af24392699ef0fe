import { failed, ok, type Result } from '../result.ts';
import { appliedAfter, nothingApplied, type AppliedState, type Fact } from './applied.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * `applied.json` on the Ansible server: which runs there were, and what their bundles wanted. The server only writes
 * down; what follows from it is reckoned here.
 */
export interface Ledger {
  readonly apiVersion: 'playsmith/v1';
  readonly kind: 'Applied';
  /** What came of all runs that are no longer listed; null: there are none. */
  readonly base: AppliedState | null;
  /** Digest of a bundle → what it wants. */
  readonly snapshots: Readonly<Record<string, Snapshot>>;
  /** The earliest first. */
  readonly facts: readonly Fact[];
}

/** Reads `applied.json`; an empty text is that of a cluster on which nothing was ever run. */
export function readLedger(text: string): Result<Ledger, string> {
  if (text === '')
    return ok({ apiVersion: 'playsmith/v1', kind: 'Applied', base: null, snapshots: {}, facts: [] });
  try {
    const read = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (read['apiVersion'] === 'playsmith/v1' && read['kind'] === 'Applied')
      return ok(read as unknown as Ledger);
    return failed('it is of a kind or a version that this Playsmith does not know');
  } catch (error) {
    return failed((error as Error).message);
  }
}

/** What is on the hosts after all that was run. */
export const appliedOf = ({ base, facts, snapshots }: Ledger): AppliedState =>
  facts.reduce((before, fact) => {
    const snapshot = snapshots[fact.bundle];
    return snapshot === undefined ? before : appliedAfter(before, fact, snapshot);
  }, base ?? nothingApplied);

/** The last run that did not succeed, when nothing was run after it. */
export const unfinished = ({ facts }: Ledger): Fact | undefined => {
  const last = facts.at(-1);
  return last?.status === 'successful' ? undefined : last;
};
