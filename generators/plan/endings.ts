import { kinds } from '../cluster/storage-kinds.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { AppliedState } from './applied.ts';
import { digestsOf, encryptionKey, type Snapshot } from './snapshot.ts';

/** Phases and servers that are no longer there, in words. */
export const endings = ({
  applied,
  wanted,
}: {
  readonly applied: AppliedState;
  readonly wanted: Snapshot;
}): readonly string[] => [
  ...Object.keys(applied.phases)
    .filter((phase) => phase !== encryptionKey && digestsOf(wanted)[phase] === undefined)
    .map((phase) => `${phase} is no longer a part of it: what it brought to hosts stays there`),
  ...serversOf(applied.whole?.cluster)
    .filter(({ host }) => !serversOf(wanted.cluster).some((server) => server.host === host))
    .map(
      ({ host, server }) =>
        `${host} is no storage server any more, and goes on to export what it has: once nobody uses it, systemctl disable --now ${kinds[server].unit} there`,
    ),
];

/** What an older Playsmith applied may have none. */
const serversOf = (cluster: Partial<Cluster> | undefined): Cluster['storage']['servers'] =>
  cluster?.storage?.servers ?? [];
