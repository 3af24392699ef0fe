import type { Cluster, HaproxySettings } from '../../cluster/cluster.ts';
import type { Fill } from '../../engine.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { hostInUrl } from '../../source/networks.ts';
import { isOffline } from '../offline.ts';
import { isProxied } from '../proxy-environment.ts';
import { program, renderedFile, type Phase } from '../phase.ts';

/** HAProxy in front of the API servers, on every machine that may hold the endpoint's address. */
export const haproxy: Phase = {
  name: 'haproxy',
  what: 'Balance the Kubernetes API across the control plane with HAProxy',
  hosts: 'load_balancers',
  tags: [
    { name: 'haproxy', what: 'everything below' },
    { name: 'haproxy_install', what: 'the package' },
    { name: 'haproxy_config', what: 'the configuration and the service' },
    { name: 'verify', what: 'the port of the API answers on each load balancer' },
  ],
  applies: ({ endpoint }) => endpoint.balancers.length > 0,
  run: 'instantiate',
  parameters: [],
  render: (cluster, fill) => {
    const file = configurationPath(cluster);
    return [
      renderedFile('haproxy.yml', fill('haproxy/haproxy.yml.hbs', playbookView(cluster, file))),
      renderedFile(file, fill('haproxy/haproxy.cfg.hbs', configurationView(cluster))),
      answersProgram(fill),
    ];
  },
};

/** The program that asks HAProxy whether it is alive: one file for all phases that do. */
export const answersProgram = (fill: Fill): RenderedFile =>
  program('files/load-balancer/answers.pl', fill('haproxy/answers.pl.hbs', {}));

/** The suffix says that Ansible fills in the password. */
const configurationPath = ({ endpoint }: Cluster): RenderedFile['path'] =>
  hasStatistics(endpoint.haproxy) ? 'files/haproxy/haproxy.cfg.j2' : 'files/haproxy/haproxy.cfg';

const hasStatistics = ({ stats }: HaproxySettings): boolean => stats.port > 0;

function playbookView(cluster: Cluster, source: string): Readonly<Record<string, unknown>> {
  const { haproxy: settings, port } = cluster.endpoint;
  const secret = hasStatistics(settings);
  return {
    source,
    file: `lookup('${secret ? 'template' : 'file'}', '${source}'${secret ? '' : ', rstrip=False'})`,
    offline: isOffline(cluster),
    proxied: isProxied(cluster),
    module: secret ? 'template' : 'copy',
    mode: secret ? '0600' : '0644',
    secrets: secret ? [passwordGuard(settings.stats.passwordVariable)] : [],
    port,
    portProblem: `Nothing answers on TCP port ${port}, see journalctl --unit haproxy`,
  };
}

/** The configuration holds it between single quotes. What must not occur is asked, since `$` lets a line end pass. */
const passwordGuard = (variable: string): Readonly<Record<string, string | readonly string[]>> => ({
  conditions: [
    `${variable} is defined`,
    `${variable} | length > 0`,
    `${variable} is not search("[^ -&(-~]")`,
  ],
  problem: `${variable} must be given, of printable ASCII characters without a single quote`,
});

function configurationView({ endpoint, network }: Cluster): Readonly<Record<string, unknown>> {
  const { healthCheck, balance, check, servers, stats, etcdPort } = endpoint.haproxy;
  const bind = (port: number): string => (endpoint.family === 6 ? `[::]:${port}` : `0.0.0.0:${port}`);
  const shared = {
    // Connections to the API live long, so counting them spreads better than taking turns.
    algorithm: balance === 'all-active' ? 'leastconn' : 'roundrobin',
    check,
  };
  return {
    ...shared,
    bind: bind(endpoint.port),
    https: healthCheck === 'https',
    servers: servers.map((server) => serverLine(server, network.apiServerPort)),
    etcd:
      etcdPort > 0
        ? [{ ...shared, bind: bind(etcdPort), servers: servers.map((server) => serverLine(server, 2379)) }]
        : [],
    statistics: hasStatistics(endpoint.haproxy) ? [{ ...stats, bind: bind(stats.port) }] : [],
  };
}

type HaproxyServer = HaproxySettings['servers'][number];

const serverLine = (
  { name, address, backup }: HaproxyServer,
  port: number,
): Readonly<Record<string, unknown>> => ({
  name,
  backup,
  target: `${hostInUrl(address)}:${port}`,
});
