import type { Cluster } from '../../cluster/cluster.ts';
import { clusterNameOf } from '../kubeadm/documents.ts';
import { releaseFile } from './release.ts';
import { renderedFile, type Phase } from '../phase.ts';
import { endpointUrls } from '../load-balancer/servers.ts';

/** Finds what would make a later playbook fail, on every host, before anything is changed. */
export const preflight: Phase = {
  name: 'preflight',
  what: 'Check system, clock, memory, disk, addresses, ports and remains of other clusters, without changing anything',
  hosts: 'all',
  tags: [{ name: 'preflight', what: 'all checks' }],
  applies: () => true,
  run: 'instantiate',
  parameters: [],
  render: (cluster, fill) => [
    renderedFile('preflight.yml', fill('preflight/preflight.yml.hbs', view(cluster))),
    ...(isKubeadm(cluster) ? [releaseFile(cluster)] : []),
  ],
};

const isBalanced = ({ endpoint }: Cluster): boolean => endpoint.balancers.length > 0;
const isKubeadm = ({ kubernetes }: Cluster): boolean => kubernetes.installer === 'kubeadm';

function view(cluster: Cluster): Readonly<Record<string, unknown>> {
  const { endpoint, kubernetes, network } = cluster;
  return {
    balanced: isBalanced(cluster),
    kubeadm: isKubeadm(cluster),
    address: endpoint.address,
    groups: portGroups(cluster),
    cluster: clusterNameOf(cluster),
    version: kubernetes.version,
    servers: endpointUrls(endpoint),
    apiServerPort: network.apiServerPort,
    networks: [...network.podSubnets, ...network.serviceSubnets],
  };
}

interface Port {
  /** As text: it is the key of a mapping. */
  readonly port: string;
  readonly programs: string;
}

/** Ports by group of the inventory, with the programs that may hold them: the kernel knows 15 characters of a name. */
function portGroups(cluster: Cluster): readonly { readonly name: string; readonly ports: readonly Port[] }[] {
  const { port, haproxy } = cluster.endpoint;
  const taken = (ports: readonly (readonly [number, string])[]): readonly Port[] =>
    ports.filter(([number]) => number > 0).map(([number, programs]) => ({ port: String(number), programs }));
  const balanced = [port, haproxy.stats.port, haproxy.etcdPort].map((number) => [number, 'haproxy'] as const);
  const { balancers, apiPort, services } = cluster.externalLoadBalancer;
  const outside = [apiPort, ...services.map((service) => service.port)].map(
    (number) => [number, 'haproxy'] as const,
  );
  return [
    ...(isBalanced(cluster) ? [{ name: 'load_balancers', ports: taken(balanced) }] : []),
    ...(balancers.length > 0 ? [{ name: 'external_load_balancers', ports: taken(outside) }] : []),
    ...(isKubeadm(cluster)
      ? [
          { name: 'kube_control_plane', ports: taken(controlPlanePorts(cluster)) },
          { name: 'k8s_cluster', ports: taken([[10_250, 'kubelet']]) },
        ]
      : []),
  ];
}

const controlPlanePorts = ({ network }: Cluster): readonly (readonly [number, string])[] => [
  [network.apiServerPort, 'kube-apiserver'],
  [2379, 'etcd'],
  [2380, 'etcd'],
  [10_257, 'kube-controller'],
  [10_259, 'kube-scheduler'],
];
