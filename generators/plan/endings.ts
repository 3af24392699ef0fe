import type { AppliedState } from './applied.ts';
import { digestsOf, encryptionKey, type Snapshot } from './snapshot.ts';

/** Phases that are no longer there, in words. */
export const endings = ({
  applied,
  wanted,
}: {
  readonly applied: AppliedState;
  readonly wanted: Snapshot;
}): readonly string[] =>
  Object.keys(applied.phases)
    .filter((phase) => phase !== encryptionKey && digestsOf(wanted)[phase] === undefined)
    .map((phase) => `${phase} is no longer a part of it: what it brought to hosts stays there`);
