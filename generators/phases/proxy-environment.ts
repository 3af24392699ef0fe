import type { Cluster } from '../cluster/cluster.ts';

/** True when hosts reach package mirrors through a proxy. */
export const isProxied = ({ proxy }: Cluster): boolean => proxy.http !== '' || proxy.https !== '';

/** The variables that programs know; what belongs to the cluster never goes through the proxy. */
export function proxyEnvironment({ proxy, network, endpoint }: Cluster): Readonly<Record<string, string>> {
  const direct = [
    'localhost',
    '127.0.0.1',
    '::1',
    endpoint.address,
    ...network.nodeSubnets,
    ...network.podSubnets,
    ...network.serviceSubnets,
    '.svc',
    '.cluster.local',
    ...proxy.noProxy,
  ].filter((entry) => entry !== '');
  const set = { http_proxy: proxy.http, https_proxy: proxy.https, no_proxy: [...new Set(direct)].join(',') };
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== ''));
}
