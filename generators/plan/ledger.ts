import { failed, ok, type Result } from '../result.ts';
import {
  dict,
  dictOfNames,
  flag,
  list,
  map,
  nameText,
  nullable,
  number,
  optional,
  text,
  type ShapeTest,
} from '../shape.ts';
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
  if (text === '') return ok(noRuns);
  try {
    const read = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    // The copy of what is applied that a client keeps, brought to a server that lost its own.
    if (read?.['apiVersion'] === undefined && appliedShape(read))
      return ok({ ...noRuns, base: read as unknown as AppliedState });
    if (read?.['apiVersion'] !== 'playsmith/v1' || read['kind'] !== 'Applied')
      return failed('it is of a kind or a version that this Playsmith does not know');
    return isLedger(read)
      ? ok(read as unknown as Ledger)
      : failed('it is not what a Playsmith writes: something of it is missing, or of another type');
  } catch (error) {
    return failed((error as Error).message);
  }
}

const noRuns: Ledger = { apiVersion: 'playsmith/v1', kind: 'Applied', base: null, snapshots: {}, facts: [] };

const texts = list(text);
const names = list(nameText);
/** Of Kubernetes, or of nothing yet. */
const version: ShapeTest = (value) => value === '' || nameText(value);
const machine = map({ name: nameText, address: text, roles: texts });
const cluster = map({ name: nameText, machines: list(machine), kubernetes: map({ version }) });
const cnf = {
  ...{ namespace: text, digest: text, objects: texts, moved: texts, settings: text },
  serviceAccount: optional(text),
};
const snapshot = map({
  ...{ bundle: text, made: optional(text), cluster, phases: dict(text) },
  ...{ maintained: optional(dict(text)), cnfs: optional(dictOfNames(map(cnf))) },
});
const member = map({ address: text, secondaryAddress: optional(text), roles: texts });
const appliedShape = map({
  ...{ whole: optional(map({ bundle: text, made: optional(text), cluster })), phases: dict(text) },
  ...{ members: dictOfNames(member), begun: optional(names), version },
  ...{ upgrading: optional(version), olderVersion: optional(version), isReverted: optional(flag) },
  ...{ marked: optional(text), plugin: optional(text) },
  ...{ cnfs: optional(dictOfNames(map({ ...cnf, isUp: flag }))) },
});
const effect = map({
  ...{ brings: texts, touches: texts, enters: names, leaves: names, each: flag, version },
  cnfs: optional(map({ brings: names, drops: names })),
  reverts: optional(texts),
});
const fact = map({
  ...{ run: text, operation: nameText, targets: names, bundle: text, effect, status: text },
  recap: dictOfNames(map({ failed: number, unreachable: number })),
});
const isLedger: ShapeTest = map({
  ...{ base: nullable(appliedShape), facts: list(fact) },
  snapshots: dict(snapshot),
});

/** What is on the hosts after all that was run. */
export const appliedOf = ({ base, facts, snapshots }: Ledger): AppliedState =>
  facts.reduce((before, fact) => {
    const snapshot = snapshots[fact.bundle];
    return snapshot === undefined ? before : appliedAfter(before, fact, snapshot);
  }, base ?? nothingApplied);

/** The last run that did not succeed, when nothing was run after it. */
export const unfinishedFact = ({ facts }: Ledger): Fact | undefined => {
  const last = facts.at(-1);
  return last?.status === 'successful' ? undefined : last;
};
