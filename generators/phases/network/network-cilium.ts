import type { Cluster, Settings } from '../../cluster/cluster.ts';
import { dataFile } from '../../data-file.ts';
import type { Fill, View } from '../../engine.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { ciliumValues } from '../../definition/network/cilium.ts';
import { networkFolder } from './network-calico.ts';
import { artifactsView, isOffline } from '../offline.ts';
import { renderedFile } from '../phase.ts';
import { isProxied } from '../proxy-environment.ts';

/** Cilium: its manifest as it is in the bundle; or the reviewed chart, turned into it on a control plane with our values. */
export const ciliumFiles = (cluster: Cluster, fill: Fill): readonly RenderedFile[] => [
  renderedFile('network.yml', fill('network/cilium.yml.hbs', playbookView(cluster))),
  cluster.podNetwork.manifest === undefined
    ? dataFile(cluster.name, 'files/network/values.yaml', {
        why: 'what the chart of Cilium is told',
        data: valuesOfCilium(cluster),
      })
    : renderedFile('files/network/cilium.yaml', cluster.podNetwork.manifest),
];

function playbookView(cluster: Cluster): View {
  const { url, sha256, helmUrl, helmSha256, manifest } = cluster.podNetwork;
  const isRendered = manifest !== undefined;
  const artifacts = artifactsView(cluster);
  return {
    folder: networkFolder,
    proxied: isProxied(cluster) && !isRendered,
    rendered: isRendered,
    offline: isOffline(cluster) && !isRendered,
    manifest: isRendered
      ? "lookup('ansible.builtin.file', 'files/network/cilium.yaml')"
      : '__network_manifest.stdout',
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

/** What the chart is told in this cluster. */
export const valuesOfCilium = ({ network, machines, podNetwork }: Cluster): Settings =>
  ciliumValues({
    podSubnets: network.podSubnets,
    nodes: machines.filter(({ roles }) => roles.includes('control-plane') || roles.includes('worker')).length,
    mtu: podNetwork.mtu,
    values: podNetwork.values,
  });
