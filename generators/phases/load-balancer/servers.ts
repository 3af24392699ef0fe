import type { Cluster, Endpoint } from '../../cluster/cluster.ts';
import { isControlPlane } from '../../cluster/roles.ts';
import { hostInUrl } from '../../source/networks.ts';

/** The host by which kubelets and kubeconfigs call the API: its DNS name, else its address. */
export const endpointHost = ({ dnsName, address }: Endpoint): string => dnsName ?? address;

/** Where clients find the API: `https://host:port`. */
export const endpointUrl = (endpoint: Endpoint): string => url(endpointHost(endpoint), endpoint.port);

/** The endpoint by every name it has, the one that clients use first. */
export const endpointUrls = (endpoint: Endpoint): readonly string[] => [
  ...new Set([endpointUrl(endpoint), url(endpoint.address, endpoint.port)]),
];

/** Where a kubelet of the cluster may look for the API: at the endpoint, or on a control plane at its own server. */
export function serversOf({ endpoint, machines, network }: Cluster): readonly string[] {
  const controlPlanes = machines.filter(isControlPlane);
  return [
    ...endpointUrls(endpoint),
    ...controlPlanes.map(({ address }) => url(address, network.apiServerPort)),
  ];
}

const url = (host: string, port: number): string => `https://${hostInUrl(host)}:${port}`;
