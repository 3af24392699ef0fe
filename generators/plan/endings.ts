import { kinds } from '../cluster/storage-kinds.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { isOurs } from '../operations/operation.ts';
import { artifactsSettings } from '../phases/node/artifacts.ts';
import { isNode, type AppliedState } from './applied.ts';
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
    // Whoever balances goes on to, without the address.
    .filter(
      (phase) => phase !== 'external-keepalived' || digestsOf(wanted)['external-load-balancer'] === undefined,
    )
    .map((phase) => `${phase} is no longer a part of it: ${whatStays(phase, wanted)}`),
  ...serversOf(applied.whole?.cluster)
    .filter(({ host }) => !serversOf(wanted.cluster).some((server) => server.host === host))
    .map(
      ({ host, server }) =>
        `${host} is no storage server any more, and goes on to export what it has: once nobody uses it, systemctl disable --now ${kinds[server].unit} there`,
    ),
];

function whatStays(phase: string, { cluster }: Snapshot): string {
  const settings = artifactsSettings.map((path) => `/etc/${path}`).join(' ');
  if (phase !== 'artifacts') return 'what it brought to hosts stays there';
  const keep = cluster.machines.filter((machine) => !(isOurs(cluster) && isNode(machine)));
  return [
    'node-prerequisites takes its packages from apt on nodes',
    ...(keep.length === 0
      ? []
      : [
          `apt of ${keep.map(({ name }) => name).join(', ')} goes on to prefer them, to every update, until somebody calls rm ${settings} there`,
        ]),
  ].join('; ');
}

/** What an older Playsmith applied may have none. */
const serversOf = (cluster: Partial<Cluster> | undefined): Cluster['storage']['servers'] =>
  cluster?.storage?.servers ?? [];
