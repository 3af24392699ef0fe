import type { Cluster, Settings } from '../../cluster/cluster.ts';
import { dataFile } from '../../data-file.ts';
import type { Fill, View } from '../../engine.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { mergeSettings } from '../kubeadm/merged.ts';
import { networkFolder } from './network-calico.ts';
import { artifactsView, isOffline } from '../offline.ts';
import { renderedFile } from '../phase.ts';
import { isProxied } from '../proxy-environment.ts';

/** Cilium: the reviewed chart, turned into a manifest on a control plane with our values. */
export const ciliumFiles = (cluster: Cluster, fill: Fill): readonly RenderedFile[] => [
  renderedFile('network.yml', fill('network/cilium.yml.hbs', playbookView(cluster))),
  dataFile(cluster.name, 'files/network/values.yaml', {
    why: 'what the chart of Cilium is told',
    data: ciliumValues(cluster),
  }),
];

function playbookView(cluster: Cluster): View {
  const { url, sha256, helmUrl, helmSha256 } = cluster.podNetwork;
  const artifacts = artifactsView(cluster);
  return {
    folder: networkFolder,
    proxied: isProxied(cluster),
    offline: isOffline(cluster),
    artifacts,
    kubernetes: cluster.kubernetes.version,
    chartSource: 'charts/cilium.tgz',
    helmSource: 'binaries/helm',
    chartPath: `${artifacts.folder}/charts/cilium.tgz`,
    helmPath: `${artifacts.folder}/binaries/helm`,
    chartUrl: url,
    chartChecksum: `sha256:${sha256}`,
    helmUrl,
    helmChecksum: `sha256:${helmSha256}`,
  };
}

/** Bytes that VXLAN puts around each packet of a pod: Cilium is told the size of what travels between nodes. */
const aroundPackets = 50;

/** What the chart is told: ours, and what the definition says besides, which holds where both say something. */
export const ciliumValues = (cluster: Cluster): Settings =>
  mergeSettings(ours(cluster), cluster.podNetwork.values);

/** Without Hubble: its certificates would be new in every manifest. */
const ours = ({ network, machines, podNetwork }: Cluster): Settings => ({
  ipam: { mode: 'kubernetes' },
  ipv4: { enabled: network.podSubnets.some((subnet) => !subnet.includes(':')) },
  ipv6: { enabled: network.podSubnets.some((subnet) => subnet.includes(':')) },
  hubble: { enabled: false },
  operator: {
    replicas: Math.min(2, machines.filter(({ roles }) => !roles.includes('load-balancer')).length),
  },
  routingMode: 'tunnel',
  tunnelProtocol: 'vxlan',
  ...(podNetwork.mtu > 0 ? { MTU: podNetwork.mtu + aroundPackets } : {}),
});
