import type { Cluster } from '../../cluster/cluster.ts';
import { sha256 } from '../../digest.ts';
import type { Fill, View } from '../../engine.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { renderedFile } from '../phase.ts';

/** flannel: the whole manifest is in the bundle, so that a reviewer sees what is applied. */
export const flannelFiles = (cluster: Cluster, fill: Fill): readonly RenderedFile[] => [
  renderedFile('network.yml', fill('network/flannel.yml.hbs', {})),
  renderedFile('files/network/flannel.yaml', fill('network/flannel.yaml.hbs', manifestView(cluster))),
];

function manifestView({ network, podNetwork: { flannel, mtu } }: Cluster): View {
  const settings = {
    backend: flannel.backend,
    network: network.podSubnets.find((subnet) => !subnet.includes(':')) ?? '',
    network6: network.podSubnets.find((subnet) => subnet.includes(':')) ?? '',
    mtu,
    // In a dual-stack cluster whose nodes have IPv6 addresses first.
    sixFirst: network.podSubnets.length > 1 && network.podSubnets[0]?.includes(':') === true,
    outerMtu: outerMtu(flannel.backend, mtu),
  };
  return {
    ...settings,
    settings: sha256(JSON.stringify(settings)).slice(0, 12),
    image: flannel.image,
    pluginImage: flannel.pluginImage,
  };
}

/** The backend counts with packets between nodes: those of the pods, and the 50 bytes that VXLAN puts around each. */
const outerMtu = (backend: string, mtu: number): number => (backend === 'vxlan' && mtu > 0 ? mtu + 50 : 0);
