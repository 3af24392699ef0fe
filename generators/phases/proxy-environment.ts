import type { Cluster } from '../cluster/cluster.ts';

/** True when hosts reach package mirrors through a proxy. */
export const isProxied = ({ proxy }: Cluster): boolean => proxy.http !== '' || proxy.https !== '';

/**
 * Where hosts keep a proxy that wants a password, readable by root alone: what a task has in its environment stands in the
 * arguments of the shell that starts it, and what a unit has, systemd tells everybody.
 */
export const credentialsFolder = '/var/lib/playsmith/proxy';

/** The variables that programs know; what belongs to the cluster never goes through the proxy. */
export function proxyEnvironment(cluster: Cluster): Readonly<Record<string, string>> {
  const { http, https, credentials } = cluster.proxy;
  const proxies: Readonly<Record<string, string>> = credentials
    ? { PYTHONPATH: credentialsFolder }
    : { http_proxy: http, https_proxy: https };
  return withoutEmpty({ ...proxies, no_proxy: noProxy(cluster) });
}

/** The same for a service that systemd starts; a proxy with a password is in a file of its own. */
export const serviceEnvironment = (cluster: Cluster): Readonly<Record<string, string>> =>
  cluster.proxy.credentials ? { no_proxy: noProxy(cluster) } : proxyEnvironment(cluster);

function noProxy({ proxy, network, endpoint }: Cluster): string {
  const direct = [
    'localhost',
    '127.0.0.1',
    '::1',
    endpoint.address,
    endpoint.dnsName ?? '',
    ...network.nodeSubnets,
    ...network.podSubnets,
    ...network.serviceSubnets,
    '.svc',
    '.cluster.local',
    ...proxy.noProxy,
  ].filter((entry) => entry !== '');
  return [...new Set(direct)].join(',');
}

const withoutEmpty = (set: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(set).filter(([, value]) => value !== ''));

/** apt knows single hosts to reach without the proxy, no networks. */
export const aptDirect = ({ proxy }: Cluster): readonly string[] =>
  proxy.noProxy.filter((entry) => /^[a-z\d][a-z\d.-]*$/i.test(entry));
