import type { Cluster } from '../../cluster/cluster.ts';
import { dataFile, expression, type Data, type DataByName } from '../../data-file.ts';
import { keptFolder } from '../kept-folder.ts';
import { endpointHost } from '../load-balancer/servers.ts';
import { isProxied } from '../proxy-environment.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import {
  hasDualStack,
  hasEtcdInDocker,
  hasMtu,
  hasPlainVersion,
  hasStacks,
  wantsFamilies,
  wantsRoot,
} from '../../catalog/kubespray/features.ts';
import { groupNames } from './groups.ts';
import { mirrorVariables } from './mirrors.ts';
import { registryVariables } from './registries.ts';
import { minorOf } from '../../catalog/kubespray/releases.ts';

/** `group_vars` in kubespray's own layout; a file without a variable is left out. */
export function kubesprayVariables(cluster: Cluster): readonly RenderedFile[] {
  const { kubespray, name } = cluster;
  const names = groupNames(kubespray.version);
  const folder = names.cluster;
  const groups: Readonly<Record<string, string>> = {
    k8s_cluster: names.cluster,
    kube_control_plane: names.controlPlane,
    kube_node: names.worker,
  };
  const files: readonly (readonly [path: string, why: string, data: DataByName])[] = [
    ['all/all.yml', 'what holds for every host', everywhere(cluster)],
    ['all/offline.yml', 'what stands for public hosts', mirrorVariables(kubespray)],
    [`all/${fileOf[kubespray.containerManager]}`, 'registries', registryVariables(cluster)],
    ['all/extra.yml', 'what the definition passes on', kubespray.variables],
    ...Object.entries(kubespray.groupVariables).map(
      ([group, data]) =>
        [`${groups[group] ?? group}/extra.yml`, 'what the definition passes on', data] as const,
    ),
    [`${folder}/k8s-cluster.yml`, 'Kubernetes', ofCluster(cluster)],
    [`${folder}/k8s-net-${kubespray.networkPlugin}.yml`, 'the network of the pods', ofPlugin(cluster)],
  ];
  const hosts = Object.entries(kubespray.hostVariables).map(
    ([host, data]) => [`host_vars/${host}.yml`, 'what the definition passes on', data] as const,
  );
  return [...files.map(([path, why, data]) => [`group_vars/${path}`, why, data] as const), ...hosts]
    .filter(([, , data]) => Object.keys(data).length > 0)
    .map(([path, why, data]) => dataFile(name, `kubespray/${path}`, { why, data }));
}

const fileOf = { containerd: 'containerd.yml', crio: 'cri-o.yml', docker: 'docker.yml' } as const;

/** Hosts of etcd alone have to know version and families too. What is kept on the Ansible server lies beside the bundles: keys that kubespray makes, and the kubeconfig. */
function everywhere(cluster: Cluster): DataByName {
  const { kubernetes, kubespray } = cluster;
  const minor = minorOf(kubespray.version);
  const kept = (folder: string): Data =>
    expression(`{{ '${kubesprayFolder(cluster)}/${folder}' | expanduser }}`);
  return {
    container_manager: kubespray.containerManager,
    ...(isOnHost(kubespray) ? { etcd_deployment_type: 'host' } : {}),
    credentials_dir: kept('credentials'),
    artifacts_dir: kept('artifacts'),
    kube_version: hasPlainVersion(minor) ? kubernetes.version : `v${kubernetes.version}`,
    ...(wantsRoot(kubespray.networkPlugin, minor) ? { kube_owner: 'root' } : {}),
    ...familyVariables(cluster),
    ...endpointVariables(cluster),
    ...proxyVariables(cluster),
  };
}

/** Whether etcd has to be told that it runs on the host itself. */
const isOnHost = ({ containerManager, version }: Cluster['kubespray']): boolean =>
  containerManager !== 'docker' && hasEtcdInDocker(minorOf(version));

/** Where kubespray keeps what has to outlive a bundle. */
export const kubesprayFolder = (cluster: Cluster): string => `${keptFolder(cluster)}/kubespray`;

/** The domain is always said: what kubespray makes of the address alone differs between versions. */
function endpointVariables({ endpoint }: Cluster): DataByName {
  if (endpoint.placement === 'none') return {};
  if (endpoint.placement === 'local') return { loadbalancer_apiserver_localhost: true };
  return {
    loadbalancer_apiserver: { address: endpoint.address, port: endpoint.port },
    apiserver_loadbalancer_domain_name: endpointHost(endpoint),
    loadbalancer_apiserver_localhost: false,
  };
}

/** Networks stay networks. Workers are left out, or each new one would restart the containers of all. */
function proxyVariables(cluster: Cluster): DataByName {
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

function ofCluster(cluster: Cluster): DataByName {
  const { kubespray, network } = cluster;
  const { automatic, calendar } = kubespray.renewal;
  return {
    kube_network_plugin: kubespray.networkPlugin,
    ...subnetVariables(cluster),
    kube_apiserver_port: network.apiServerPort,
    supplementary_addresses_in_ssl_keys: kubespray.certificateSans,
    auto_renew_certificates: automatic,
    ...(calendar === '' ? {} : { auto_renew_certificates_systemd_calendar: calendar }),
  };
}

function subnetVariables({ network }: Cluster): DataByName {
  const all: DataByName = {
    kube_service_addresses: subnetOf(network.serviceSubnets, 4),
    kube_pods_subnet: subnetOf(network.podSubnets, 4),
    kube_service_addresses_ipv6: subnetOf(network.serviceSubnets, 6),
    kube_pods_subnet_ipv6: subnetOf(network.podSubnets, 6),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

const subnetOf = (subnets: readonly string[], family: 4 | 6): string =>
  subnets.find((subnet) => subnet.includes(':') === (family === 6)) ?? '';

const hasFamily = ({ network }: Cluster, family: 4 | 6): boolean =>
  subnetOf(network.podSubnets, family) !== '';

function familyVariables(cluster: Cluster): DataByName {
  const minor = minorOf(cluster.kubespray.version);
  const [isFour, isSix] = [hasFamily(cluster, 4), hasFamily(cluster, 6)];
  if (hasStacks(minor)) return { ipv4_stack: isFour, ipv6_stack: isSix };
  return hasDualStack(minor) ? { enable_dual_stack_networks: isFour && isSix } : {};
}

/** Only two have a variable for the size of packets. */
function ofPlugin(cluster: Cluster): DataByName {
  const { kubespray, podNetwork } = cluster;
  const { networkPlugin, version } = kubespray;
  return {
    ...(podNetwork.mtu > 0 && hasMtu(networkPlugin) ? { [`${networkPlugin}_mtu`]: podNetwork.mtu } : {}),
    ...(wantsFamilies(networkPlugin, minorOf(version)) && hasFamily(cluster, 6)
      ? { cilium_enable_ipv6: true }
      : {}),
  };
}
