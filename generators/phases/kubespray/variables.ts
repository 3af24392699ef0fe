import type { Cluster } from '../../cluster/cluster.ts';
import { dataFile, expression, type Data } from '../../data-file.ts';
import { isProxied } from '../proxy-environment.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import {
  hasDualStack,
  hasEtcdInDocker,
  hasMtu,
  hasPlainVersion,
  hasStacks,
} from '../../catalog/kubespray/features.ts';
import { groupNames } from './groups.ts';
import { mirrorVariables } from './mirrors.ts';
import { registryVariables } from './registries.ts';
import { minorOf } from '../../catalog/kubespray/releases.ts';

type Variables = Readonly<Record<string, Data>>;

/** `group_vars` in kubespray's own layout; a file without a variable is left out. */
export function kubesprayVariables(cluster: Cluster): readonly RenderedFile[] {
  const { kubespray, name } = cluster;
  const folder = groupNames(kubespray.version).cluster;
  const files: readonly (readonly [path: string, why: string, data: Variables])[] = [
    ['all/all.yml', 'what holds for every host', everywhere(cluster)],
    ['all/offline.yml', 'what stands for public hosts', mirrorVariables(kubespray)],
    [`all/${fileOf[kubespray.containerManager]}`, 'registries', registryVariables(cluster)],
    ['all/extra.yml', 'what the definition passes on', kubespray.variables],
    [`${folder}/k8s-cluster.yml`, 'Kubernetes', ofCluster(cluster)],
    [`${folder}/k8s-net-${kubespray.networkPlugin}.yml`, 'the network of the pods', ofPlugin(cluster)],
  ];
  return files
    .filter(([, , data]) => Object.keys(data).length > 0)
    .map(([path, why, data]) => dataFile(name, `kubespray/group_vars/${path}`, { why, data }));
}

const fileOf = { containerd: 'containerd.yml', crio: 'cri-o.yml', docker: 'docker.yml' } as const;

/** What is kept on the Ansible server lies beside the bundles: keys that kubespray makes, and the kubeconfig. */
function everywhere(cluster: Cluster): Variables {
  const { kubespray } = cluster;
  const kept = (folder: string): Data => expression(`{{ '${keptFolder(cluster)}/${folder}' | expanduser }}`);
  return {
    container_manager: kubespray.containerManager,
    ...(isOnHost(kubespray) ? { etcd_deployment_type: 'host' } : {}),
    credentials_dir: kept('credentials'),
    artifacts_dir: kept('artifacts'),
    ...endpointVariables(cluster),
    ...proxyVariables(cluster),
  };
}

/** Whether etcd has to be told that it runs on the host itself. */
const isOnHost = ({ containerManager, version }: Cluster['kubespray']): boolean =>
  containerManager !== 'docker' && hasEtcdInDocker(minorOf(version));

/** Where kubespray keeps what has to outlive a bundle. */
export const keptFolder = ({ ansibleServer, name }: Cluster): string =>
  `${ansibleServer.directory}/kept/${name}/kubespray`;

/** The domain is always said: what kubespray makes of the address alone differs between versions. */
function endpointVariables({ endpoint }: Cluster): Variables {
  if (endpoint.placement === 'none') return {};
  return {
    loadbalancer_apiserver: { address: endpoint.address, port: endpoint.port },
    apiserver_loadbalancer_domain_name: endpoint.address,
    loadbalancer_apiserver_localhost: false,
  };
}

/** Networks stay networks. Workers are left out, or each new one would restart the containers of all. */
function proxyVariables(cluster: Cluster): Variables {
  if (!isProxied(cluster)) return {};
  const { http, https, noProxy } = cluster.proxy;
  const direct = [...cluster.network.nodeSubnets, ...noProxy];
  return {
    ...(http === '' ? {} : { http_proxy: http }),
    ...(https === '' ? {} : { https_proxy: https }),
    additional_no_proxy: [...new Set(direct)].join(','),
    no_proxy_exclude_workers: true,
  };
}

function ofCluster(cluster: Cluster): Variables {
  const { kubernetes, kubespray, network } = cluster;
  const plain = hasPlainVersion(minorOf(kubespray.version));
  const { automatic, calendar } = kubespray.renewal;
  return {
    kube_version: plain ? kubernetes.version : `v${kubernetes.version}`,
    kube_network_plugin: kubespray.networkPlugin,
    ...networkVariables(cluster),
    kube_apiserver_port: network.apiServerPort,
    supplementary_addresses_in_ssl_keys: kubespray.certificateSans,
    auto_renew_certificates: automatic,
    ...(calendar === '' ? {} : { auto_renew_certificates_systemd_calendar: calendar }),
  };
}

function networkVariables({ kubespray, network }: Cluster): Variables {
  const of = (subnets: readonly string[], isSix: boolean): string =>
    subnets.find((subnet) => subnet.includes(':') === isSix) ?? '';
  const all: Variables = {
    kube_service_addresses: of(network.serviceSubnets, false),
    kube_pods_subnet: of(network.podSubnets, false),
    kube_service_addresses_ipv6: of(network.serviceSubnets, true),
    kube_pods_subnet_ipv6: of(network.podSubnets, true),
  };
  const isFour = all['kube_pods_subnet'] !== '';
  const isSix = all['kube_pods_subnet_ipv6'] !== '';
  const minor = minorOf(kubespray.version);
  return {
    ...Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
    ...(hasStacks(minor) ? { ipv4_stack: isFour, ipv6_stack: isSix } : {}),
    ...(!hasStacks(minor) && hasDualStack(minor) ? { enable_dual_stack_networks: isFour && isSix } : {}),
  };
}

/** Only these two have a variable for it. */
function ofPlugin({ kubespray, podNetwork }: Cluster): Variables {
  const { networkPlugin } = kubespray;
  return podNetwork.mtu > 0 && hasMtu(networkPlugin) ? { [`${networkPlugin}_mtu`]: podNetwork.mtu } : {};
}
