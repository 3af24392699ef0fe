import type { Argument, Cluster, Machine } from '../../cluster/cluster.ts';
import { expression, type Data } from '../../data-file.ts';
import { kubeadmApi, withArguments } from './api.ts';
import { apiServer } from './api-server.ts';
import { preflightExceptions } from './exceptions.ts';
import { hostFiles, type HostFiles } from './host-files.ts';
import { nodeMasks } from './masks.ts';
import { kubeletConfiguration, kubeProxyConfiguration } from './components.ts';
import { endpointHost } from '../load-balancer/servers.ts';
import { isControlPlane } from '../../cluster/roles.ts';
import { hostInUrl } from '../../source/networks.ts';

type KubeadmDocument = Readonly<Record<string, Data>>;

/** What `kubeadm init` and everything after it is told on one control plane, in the order in which it is read. */
export function initDocuments(cluster: Cluster, machine: Machine): readonly KubeadmDocument[] {
  return [
    initConfiguration(cluster, machine),
    clusterConfiguration(cluster),
    kubeletConfiguration(cluster),
    kubeProxyConfiguration(cluster),
  ];
}

/** What each control plane is told by it: a file, and how Ansible reads it. */
export const configurations = (cluster: Cluster): HostFiles =>
  hostFiles(cluster, cluster.machines.filter(isControlPlane), {
    path: 'files/kubernetes-settings/kubeadm',
    why: 'what kubeadm is told on {{ inventory_hostname }}',
    documents: (machine) => initDocuments(cluster, machine),
  });

/** What kubeadm calls the cluster. */
export const clusterNameOf = ({ name, kubernetes }: Cluster): string => kubernetes.clusterName ?? name;

/** Where clients of the API find it, as kubeadm wants it written. */
export const endpointOf = ({ endpoint }: Cluster): string => hostPort(endpointHost(endpoint), endpoint.port);

/** `address:port`, with brackets around an IPv6 address. */
export const hostPort = (address: string, port: number): string => `${hostInUrl(address)}:${port}`;

/** The name and the address of a host, which Ansible fills in: hosts alike are told by one file. */
const [ownName, ownAddress] = [expression('{{ inventory_hostname }}'), expression('{{ ip }}')];

/** How a machine's kubelet registers the machine, and which of kubeadm's objections to the host do not count. */
export function nodeRegistration(cluster: Cluster, machine: Machine): KubeadmDocument {
  const exceptions = preflightExceptions(cluster);
  return {
    name: ownName,
    criSocket: 'unix:///run/containerd/containerd.sock',
    ...taints(machine),
    kubeletExtraArgs: [
      ...(cluster.kubernetes.externalCloudProvider ? [{ name: 'cloud-provider', value: 'external' }] : []),
      { name: 'node-ip', value: addressesOf(machine) },
    ],
    ...(exceptions.length > 0 ? { ignorePreflightErrors: exceptions } : {}),
  };
}

/** Without the key a control plane gets kubeadm's own taint; what the definition asks for besides is set later. */
function taints({ roles, taints: wanted }: Machine): KubeadmDocument {
  const isWorker = roles.includes('worker');
  if (!isWorker || (wanted.length === 0 && !roles.includes('control-plane'))) return {};
  return { taints: wanted.map(({ key, value, effect }) => ({ key, value, effect })) };
}

/** The one that the cluster uses, and in a dual-stack cluster the other one behind it. */
const addressesOf = ({ secondaryAddress }: Machine): Data =>
  secondaryAddress === '' ? ownAddress : expression('{{ ip }},{{ secondary_ip }}');

/** Where the API server of a machine listens. */
export const localEndpoint = ({ network }: Cluster): KubeadmDocument => ({
  advertiseAddress: ownAddress,
  bindPort: network.apiServerPort,
});

/** The token that `kubeadm init` insists on is of no use to us: it is over within a minute, and never printed. */
const initConfiguration = (cluster: Cluster, machine: Machine): KubeadmDocument => ({
  apiVersion: kubeadmApi,
  kind: 'InitConfiguration',
  bootstrapTokens: [{ ttl: '1m0s', usages: ['signing', 'authentication'] }],
  localAPIEndpoint: localEndpoint(cluster),
  nodeRegistration: nodeRegistration(cluster, machine),
});

function clusterConfiguration(cluster: Cluster): KubeadmDocument {
  const { kubernetes, network } = cluster;
  const { version, imageRepository, extraArguments } = kubernetes;
  return {
    apiVersion: kubeadmApi,
    kind: 'ClusterConfiguration',
    clusterName: clusterNameOf(cluster),
    kubernetesVersion: `v${version}`,
    controlPlaneEndpoint: endpointOf(cluster),
    ...(imageRepository === '' ? {} : { imageRepository }),
    networking: {
      podSubnet: network.podSubnets.join(','),
      serviceSubnet: network.serviceSubnets.join(','),
    },
    apiServer: apiServer(cluster),
    ...component('controllerManager', [
      ...nodeMasks(network.podSubnets),
      ...extraArguments.controllerManager,
    ]),
    ...component('scheduler', extraArguments.scheduler),
    etcd: { local: etcd(cluster) },
  };
}

const component = (name: string, given: readonly Argument[]): KubeadmDocument =>
  given.length > 0 ? { [name]: withArguments(given) } : {};

/** Clients that reach etcd through the endpoint must find its address and its name in the certificate. */
function etcd({ kubernetes, endpoint }: Cluster): KubeadmDocument {
  const names = [endpoint.address, ...(endpoint.dnsName === undefined ? [] : [endpoint.dnsName])];
  const sans = endpoint.haproxy.etcdPort > 0 ? { serverCertSANs: names } : {};
  return {
    dataDir: '/var/lib/etcd',
    ...withArguments(kubernetes.extraArguments.etcd),
    ...sans,
  };
}
