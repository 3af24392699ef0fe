import type { Cluster, PodNetwork } from '../../cluster/cluster.ts';
import { nodeMask } from '../../cluster/node-mask.ts';
import type { Fill } from '../../engine.ts';
import { ciliumFiles } from './network-cilium.ts';
import { calicoFiles } from './network-calico.ts';
import { flannelFiles } from './network-flannel.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { program, renderedFile, type Phase } from '../phase.ts';

/** The network of the pods. */
export const network: Phase = {
  name: 'network',
  what: 'Install the pod network',
  hosts: 'k8s_cluster',
  tags: [{ name: 'network', what: 'everything' }],
  applies: ({ kubernetes, podNetwork }) => kubernetes.installer === 'kubeadm' && podNetwork.plugin !== 'none',
  run: 'instantiate',
  told: () => 'network_operation',
  parameters: [],
  render: (cluster, fill) => spreading(filesOf[cluster.podNetwork.plugin](cluster, fill), fill),
};

/** Whatever the plugin: once nodes are ready, the DNS of the cluster does not stand on one of them alone. */
const spreading = (files: readonly RenderedFile[], fill: Fill): readonly RenderedFile[] => [
  ...files.map((file) =>
    file.path === 'network.yml'
      ? { ...file, text: `${file.text}${fill('network/spread-dns.yml.hbs', {})}` }
      : file,
  ),
];

type FilesOfPlugin = (cluster: Cluster, fill: Fill) => readonly RenderedFile[];

const staticRoutes: FilesOfPlugin = (cluster, fill) => {
  const { podSubnets } = cluster.network;
  const view = {
    families: podSubnets.length,
    mtu: cluster.podNetwork.mtu,
    podSubnets: JSON.stringify(podSubnets),
    sizes: JSON.stringify(Object.fromEntries(podSubnets.map(sizeOfParts))),
  };
  return [
    renderedFile('network.yml', fill('network/static-routes.yml.hbs', view)),
    renderedFile('files/network/nodes.py', fill('network/nodes.py.hbs', view)),
    program('files/network/static-routes.py', fill('network/static-routes.py.hbs', view)),
    renderedFile(
      'files/network/playsmith-network.service',
      fill('network/playsmith-network.service.hbs', view),
    ),
  ];
};

/** By the version of IP: the prefix of what a node gets of a subnet. */
function sizeOfParts(subnet: string): readonly [number, number] {
  const family = subnet.includes(':') ? 6 : 4;
  return [family, nodeMask(Number(subnet.split('/')[1]), family)];
}

const filesOf: Readonly<Record<PodNetwork['plugin'], FilesOfPlugin>> = {
  none: () => [],
  'static-routes': staticRoutes,
  flannel: flannelFiles,
  calico: calicoFiles,
  cilium: ciliumFiles,
};
