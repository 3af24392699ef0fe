import { endsPodsWhenLower, takenOverEmpty } from '../../catalog/kubernetes/kubelet-settings.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { isOnlyWorker } from '../../cluster/roles.ts';
import { addressText, parseBlock } from '../../source/networks.ts';
import { auditPolicy, configurationFolder, isAudited, isEncrypted } from '../kubeadm/api-server.ts';
import { configurations } from '../kubeadm/documents.ts';
import { kubeletPatches, ownKubelets, patchFolder } from '../kubeadm/own-kubelet.ts';
import { endpointHost } from '../load-balancer/servers.ts';
import { keyView } from './control-plane.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** What kubeadm is told, brought to a cluster that runs: reconfiguring it, one node at a time. */
export const kubernetesSettings: Phase = {
  name: 'kubernetes-settings',
  what: 'Reconfigure control planes, kubelets and kube-proxy of a running cluster as the definition says, one node at a time',
  hosts: 'k8s_cluster',
  tags: [{ name: 'kubernetes-settings', what: 'everything' }],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'instantiate',
  // The key is brought by a phase of its own.
  borrows: ['control-plane', 'kubelet-certificates'],
  parameters: [
    {
      variable: 'kubernetes_settings_drain_seconds',
      what: 'how long the pods of one node may take to leave it where a setting wants it empty, 300 when not given',
      required: false,
      pattern: '[0-9]{1,5}',
      example: '900',
      operations: ['kubernetes-settings', 'reconfigure'],
    },
  ],
  render: (cluster, fill) => [
    renderedFile(
      'kubernetes-settings.yml',
      fill('kubernetes-settings/kubernetes-settings.yml.hbs', viewOf(cluster)),
    ),
    ...configurations(cluster).files,
    ...auditPolicy(cluster),
    ...kubeletPatches(cluster),
  ],
};

function viewOf(cluster: Cluster): Readonly<Record<string, unknown>> {
  const { kubernetes, network, endpoint, machines } = cluster;
  return {
    folder: configurationFolder,
    configuration: configurations(cluster).lookup,
    audited: isAudited(cluster),
    encrypted: isEncrypted(cluster),
    key: keyView(cluster),
    port: network.apiServerPort,
    added: [...new Set([endpoint.address, endpointHost(endpoint)]), ...ofTheService(network.serviceSubnets)],
    workers: machines.some(isOnlyWorker),
    serverTLSBootstrap: kubernetes.serverTLSBootstrap === true,
    ownKubelets: ownKubelets(cluster),
    patchFolder,
    workersAtOnce: kubernetes.upgrade.workersAtOnce,
    keepsResolver: kubernetes.kubelet['resolvConf'] === undefined,
    // Two lines of the playbook.
    emptying: [takenOverEmpty.slice(0, 5), takenOverEmpty.slice(5)].map((fields) => fields.join(', ')),
    emptyingWhenLower: Object.entries(endsPodsWhenLower).map(([name, own]) => ({ name, own })),
  };
}

/** The first address by which pods reach the API; kubeadm puts it into each certificate. */
function ofTheService([subnet = '']: readonly string[]): readonly string[] {
  const block = parseBlock(subnet);
  return block === undefined ? [] : [addressText(block.bits + 1n, block.family)];
}
