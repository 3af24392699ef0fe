import type { Argument, Cluster, Machine } from '../cluster.ts';
import type { Data } from '../data-file.ts';
import { extraArgs, kubeadmApi, kubeadmGroup, minorOf, withArguments, type KubeadmApi } from './api.ts';
import { apiServer } from './api-server.ts';
import { nodeMasks } from './masks.ts';
import { kubeletConfiguration, kubeProxyConfiguration } from './components.ts';

type Document = Readonly<Record<string, Data>>;

/** What `kubeadm init` and everything after it is told on one control plane, in the order in which it is read. */
export function initDocuments(cluster: Cluster, machine: Machine): readonly Document[] {
  const api = kubeadmApi(cluster.kubernetes.version);
  return [
    initConfiguration(cluster, machine, api),
    clusterConfiguration(cluster, api),
    kubeletConfiguration(cluster),
    kubeProxyConfiguration(cluster),
  ];
}

/** Where clients of the API find it, as kubeadm wants it written. */
export const endpointOf = ({ endpoint }: Cluster): string => hostPort(endpoint.address, endpoint.port);

/** `address:port`, with brackets around an IPv6 address. */
export const hostPort = (address: string, port: number): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

/** How a machine's kubelet registers the machine. */
export function nodeRegistration(machine: Machine, api: KubeadmApi): Document {
  return {
    name: machine.name,
    criSocket: 'unix:///run/containerd/containerd.sock',
    ...taints(machine),
    kubeletExtraArgs: extraArgs(api, [{ name: 'node-ip', value: machine.address }]),
  };
}

/** Without the key a control plane gets kubeadm's own taint; what the definition asks for besides is set later. */
function taints({ roles, taints: wanted }: Machine): Document {
  const isWorker = roles.includes('worker');
  if (!isWorker || (wanted.length === 0 && !roles.includes('control-plane'))) return {};
  return { taints: wanted.map(({ key, value, effect }) => ({ key, value, effect })) };
}

/** Where the API server of this machine listens. */
export const localEndpoint = ({ network }: Cluster, machine: Machine): Document => ({
  advertiseAddress: machine.address,
  bindPort: network.apiServerPort,
});

/** The token that `kubeadm init` insists on is of no use to us: it is over within a minute, and never printed. */
const initConfiguration = (cluster: Cluster, machine: Machine, api: KubeadmApi): Document => ({
  apiVersion: kubeadmGroup(api),
  kind: 'InitConfiguration',
  bootstrapTokens: [{ ttl: '1m0s', usages: ['signing', 'authentication'] }],
  localAPIEndpoint: localEndpoint(cluster, machine),
  nodeRegistration: nodeRegistration(machine, api),
});

function clusterConfiguration(cluster: Cluster, api: KubeadmApi): Document {
  const { kubernetes, network } = cluster;
  const { version, imageRepository, extraArguments } = kubernetes;
  return {
    apiVersion: kubeadmGroup(api),
    kind: 'ClusterConfiguration',
    clusterName: cluster.name,
    kubernetesVersion: `v${version}`,
    controlPlaneEndpoint: endpointOf(cluster),
    ...(imageRepository === '' ? {} : { imageRepository }),
    networking: {
      podSubnet: network.podSubnets.join(','),
      serviceSubnet: network.serviceSubnets.join(','),
    },
    ...featureGates(cluster),
    apiServer: apiServer(cluster, api),
    ...component(api, 'controllerManager', [
      ...nodeMasks(network.podSubnets),
      ...extraArguments.controllerManager,
    ]),
    ...component(api, 'scheduler', extraArguments.scheduler),
    etcd: { local: etcd(cluster, api) },
  };
}

const component = (api: KubeadmApi, name: string, given: readonly Argument[]): Document =>
  given.length > 0 ? { [name]: { extraArgs: extraArgs(api, given) } } : {};

/** Before 1.21 two families of addresses had to be asked for. */
const featureGates = ({ kubernetes, network }: Cluster): Document =>
  minorOf(kubernetes.version) <= 20 && network.podSubnets.length > 1
    ? { featureGates: { IPv6DualStack: true } }
    : {};

/** Clients that reach etcd through the endpoint must find its address in the certificate. */
function etcd({ kubernetes, endpoint }: Cluster, api: KubeadmApi): Document {
  const sans = endpoint.haproxy.etcdPort > 0 ? { serverCertSANs: [endpoint.address] } : {};
  return {
    dataDir: '/var/lib/etcd',
    ...withArguments(api, 'extraArgs', kubernetes.extraArguments.etcd),
    ...sans,
  };
}
