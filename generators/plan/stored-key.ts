import type { Cluster } from '../cluster/cluster.ts';
import { encryptionKey, type Snapshot } from './snapshot.ts';

/** What of the applied state tells how Secrets are stored. */
interface KnownState {
  readonly phases: Readonly<Record<string, string>>;
  readonly whole: { readonly cluster: Cluster } | undefined;
  readonly members: object;
}

/** What the applied state says of the key after a run; an older Playsmith did not say anything. */
export function keyAfter(before: KnownState, operation: string, wanted: Snapshot): KnownState['phases'] {
  if (operation === 'encryption-off') return { [encryptionKey]: '' };
  const isBare = before.whole === undefined && Object.keys(before.members).length === 0;
  const isOther = before.whole === undefined || keyOf(before.whole.cluster) !== keyOf(wanted.cluster);
  const isKnown =
    before.phases[encryptionKey] !== undefined || wanted.maintained?.[encryptionKey] === undefined;
  return isKnown || isBare || !isOther ? {} : { [encryptionKey]: '' };
}

/** What decides how Secrets are stored, and where the key comes from. */
export const keyOf = ({ kubernetes: { encryption }, secrets }: Cluster): string =>
  encryption.keyVariable === ''
    ? ''
    : JSON.stringify([
        encryption,
        secrets.find(({ variable }) => variable === encryption.keyVariable)?.reference,
      ]);
