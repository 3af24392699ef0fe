import type { Effect } from '../../operations/effect.ts';

/** What a run leaves to say of upgrades; keys without a value are left out. */
export function upgradeMarksAfter(before: VersionedState, fact: UpgradeFact): UpgradeMarks {
  const upgrading = upgradingAfter(before, fact);
  const olderVersion = olderVersionAfter(before, fact);
  const isReverted = revertedAfter(before, fact);
  return {
    ...(upgrading === '' ? {} : { upgrading }),
    ...(olderVersion === '' ? {} : { olderVersion }),
    ...(isReverted ? { isReverted } : {}),
  };
}

/** How far upgrades came; each key is missing where there is nothing to say. */
export interface UpgradeMarks {
  /** What an upgrade began to bring and did not, so that some nodes may have it. */
  readonly upgrading?: string;
  /** The version before the last upgrade, of which snapshots may be. */
  readonly olderVersion?: string;
  /** Etcd went back to a snapshot, perhaps of that version, and no upgrade has looked since. */
  readonly isReverted?: boolean;
}

interface VersionedState extends UpgradeMarks {
  readonly version: string;
}

interface UpgradeFact {
  readonly operation: string;
  readonly status: string;
  readonly effect: Effect;
}

const upgradingAfter = (
  { upgrading = '' }: VersionedState,
  { operation, status, effect }: UpgradeFact,
): string => {
  if (effect.version === '') return upgrading;
  if (status === 'successful') return '';
  return operation === 'upgrade' ? effect.version : upgrading;
};

function olderVersionAfter(
  { version, olderVersion = '' }: VersionedState,
  { status, effect }: UpgradeFact,
): string {
  const isOther = status === 'successful' && ![version, ''].includes(effect.version);
  return isOther && version !== '' ? version : olderVersion;
}

const revertedAfter = (
  { olderVersion, isReverted = false }: VersionedState,
  { status, effect }: UpgradeFact,
): boolean => {
  if (effect.reverts !== undefined) return olderVersion !== undefined;
  return isReverted && !(effect.version !== '' && status === 'successful');
};
