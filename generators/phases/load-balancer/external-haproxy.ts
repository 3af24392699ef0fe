import type { BalancedService, Cluster } from '../../cluster/cluster.ts';
import { sha256 } from '../../digest.ts';
import type { View } from '../../engine.ts';
import { hostInUrl } from '../../source/networks.ts';

/** What `haproxy.cfg.hbs` is told; `digest` says what all but the servers is. */
export function configurationView(cluster: Cluster, digest: string): View {
  const { apiPort, services } = cluster.externalLoadBalancer;
  const fixed = services.filter(({ lookUp }) => !lookUp);
  const all = [
    ...(apiPort > 0 ? [apiView(cluster)] : []),
    ...fixed.map((service) => serviceView(cluster, service)),
  ];
  return {
    digest,
    // Ports that are looked up may all be missing.
    idle: all.length === 0,
    services: all,
    lookedUp: lookedUpServices(cluster).map((service, index) => ({
      ...sharedView(cluster, service.port),
      index,
      name: nameOf(service),
      servers: serversOf(cluster, service.backends),
    })),
  };
}

/** Services whose ports only the cluster knows, in the order in which they are asked for. */
export const lookedUpServices = ({
  externalLoadBalancer: { services },
}: Cluster): readonly BalancedService[] => services.filter(({ lookUp }) => lookUp);

/** Of a configuration without the lines that say which servers there are. */
export const digestWithoutServers = (text: string): string =>
  sha256(text.replaceAll(/^ {4}server .*\n/gm, '')).slice(0, 16);

const nameOf = ({ namespace, name, port }: BalancedService): string => `${namespace}_${name}_${port}`;

/** Readiness of an API server is what the load balancer of the control plane asks too. */
const apiView = (cluster: Cluster): View => ({
  ...sharedView(cluster, cluster.externalLoadBalancer.apiPort),
  name: 'kubernetes_api',
  nodePort: cluster.network.apiServerPort,
  path: '/readyz',
  ssl: true,
  checkPort: 0,
  servers: serversOf(cluster, 'control-planes'),
});

function serviceView(cluster: Cluster, service: BalancedService): View {
  const { healthPort } = cluster.externalLoadBalancer;
  const isLocal = service.externalTrafficPolicy === 'Local';
  const checkPort = isLocal ? service.healthCheckNodePort : healthPort;
  return {
    ...sharedView(cluster, service.port),
    name: nameOf(service),
    nodePort: service.nodePort,
    path: checkPort > 0 ? '/healthz' : '',
    ssl: false,
    checkPort,
    servers: serversOf(cluster, service.backends),
  };
}

const sharedView = ({ externalLoadBalancer: { family, check } }: Cluster, port: number): View => ({
  bind: family === 6 ? `[::]:${port}` : `0.0.0.0:${port}`,
  check,
});

function serversOf(
  { machines }: Cluster,
  backends: BalancedService['backends'],
): readonly { readonly name: string; readonly host: string }[] {
  const role = backends === 'workers' ? 'worker' : 'control-plane';
  return machines
    .filter(({ roles }) => roles.includes(role))
    .map(({ name, address }) => ({ name, host: hostInUrl(address) }));
}
