import { defaults } from '../../defaults.ts';
import { apiServerPortOf, endpointPortOf } from '../../derived.ts';
import { problemAt, type Finding, type Path } from '../../../source/finding.ts';
import type { Facts } from '../facts.ts';

interface PortListener {
  readonly port: number;
  readonly what: string;
  readonly path: Path;
}

/** What listens on a load balancer, and on a control plane, each on a port of its own. */
export function ports(facts: Facts): readonly Finding[] {
  const { placement, draft } = facts;
  const api = { port: apiServerPortOf(draft), what: 'the API server', path: ['network', 'apiServerPort'] };
  if (!placement) return [];
  const isStacked = placement.kind === 'stacked';
  const ours = isStacked || placement.kind === 'dedicated' ? [...sshd(facts), ...balancer(facts)] : [];
  return isStacked
    ? clashes([...kubernetes, api, ...ours])
    : [...clashes([...kubernetes, api]), ...clashes(ours)];
}

function balancer({ draft }: Facts): PortListener[] {
  const written = draft.controlPlaneEndpoint?.loadBalancer?.haproxy;
  const stats = written?.stats?.port;
  const etcd = written?.etcdPort;
  const at = ['controlPlaneEndpoint', 'loadBalancer', 'haproxy'];
  return [
    { port: endpointPortOf(draft), what: 'HAProxy', path: ['controlPlaneEndpoint', 'port'] },
    ...(stats === undefined
      ? []
      : [{ port: stats, what: "HAProxy's statistics", path: [...at, 'stats', 'port'] }]),
    ...(etcd === undefined ? [] : [{ port: etcd, what: 'HAProxy for etcd', path: [...at, 'etcdPort'] }]),
  ];
}

/** Each port of sshd once. */
function sshd({ balancers, draft }: Facts): PortListener[] {
  const found = (balancers ?? []).map(
    ({ written }) => written.ssh?.port ?? draft.ssh?.port ?? defaults.sshPort,
  );
  return [...new Set(found)].map((port) => ({ port, what: 'sshd', path: ['ssh', 'port'] }));
}

/** The later of two is the one to move. */
const clashes = (listeners: readonly PortListener[]): Finding[] =>
  listeners.flatMap((late, index) => {
    const early = listeners.slice(0, index).find(({ port }) => port === late.port);
    return early
      ? [
          problemAt(
            late.path,
            `port ${late.port} is wanted by ${late.what} and by ${early.what} on the same machine`,
            `another port for ${late.what}${late.port === 6443 ? ', like 8443' : ''}`,
          ),
        ]
      : [];
  });

const kubernetes: readonly PortListener[] = [
  { port: 2379, what: 'etcd' },
  { port: 2380, what: 'etcd' },
  { port: 2381, what: 'etcd' },
  { port: 10248, what: 'the kubelet' },
  { port: 10249, what: 'kube-proxy' },
  { port: 10250, what: 'the kubelet' },
  { port: 10256, what: 'kube-proxy' },
  { port: 10257, what: 'the controller manager' },
  { port: 10259, what: 'the scheduler' },
].map((listener) => ({ ...listener, path: [] }));
