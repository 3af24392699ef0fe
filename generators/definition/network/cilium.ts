import type { Settings } from '../../cluster/cluster.ts';
import { mergeSettings } from '../../cluster/merge-settings.ts';

/** What the chart of Cilium has to know of a cluster. */
export interface CiliumFacts {
  readonly podSubnets: readonly string[];
  /** Control planes and workers. */
  readonly nodes: number;
  /** The largest packet of the pods, in bytes; 0: Cilium finds out. */
  readonly mtu: number;
  /** Further values of the chart. */
  readonly values: Settings;
}

/** Bytes that VXLAN puts around each packet of a pod: Cilium is told the size of what travels between nodes. */
const aroundPackets = 50;

/** What the chart is told: ours, and what the definition says besides, which holds where both say something. */
export const ciliumValues = (facts: CiliumFacts): Settings => mergeSettings(ours(facts), facts.values);

/** Without Hubble: its certificates would be new in every manifest. */
const ours = ({ podSubnets, nodes, mtu }: CiliumFacts): Settings => ({
  ipam: { mode: 'kubernetes' },
  ipv4: { enabled: podSubnets.some((subnet) => !subnet.includes(':')) },
  ipv6: { enabled: podSubnets.some((subnet) => subnet.includes(':')) },
  hubble: { enabled: false },
  operator: { replicas: Math.min(2, nodes) },
  routingMode: 'tunnel',
  tunnelProtocol: 'vxlan',
  ...(mtu > 0 ? { MTU: mtu + aroundPackets } : {}),
});
