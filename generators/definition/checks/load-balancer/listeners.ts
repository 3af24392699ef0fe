import { defaults } from '../../defaults.ts';
import { apiServerPortOf, endpointPortOf, storageServersOf } from '../../derived.ts';
import type { Path } from '../../../source/finding.ts';
import type { Facts, MachineFact } from '../facts.ts';

/** What has a port of a machine. */
export interface PortListener {
  readonly port: number;
  readonly what: string;
  /** Where the definition says it; empty: it is always so. */
  readonly path: Path;
}

/** What listens on every control plane beside HAProxy. */
export const controlPlaneListeners = ({ controlPlanes = [], draft }: Facts): readonly PortListener[] => [
  ...kubernetes,
  { port: apiServerPortOf(draft), what: 'the API server', path: ['network', 'apiServerPort'] },
  ...sshd(controlPlanes, draft),
];

/** What listens on nodes that are no control planes. */
export function workerListeners({ nodes, controlPlanes = [], draft }: Facts): readonly PortListener[] {
  const workers = nodes.filter((node) => !controlPlanes.includes(node));
  return [...ofEveryNode, ...sshd(workers, draft)];
}

/** HAProxy before the API servers, wherever it stands. */
export function haproxyListeners({ draft }: Facts): readonly PortListener[] {
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

/** Each port of sshd once. Where another address is dialled, somebody may forward its port. */
export function sshd(machines: readonly MachineFact[], draft: Facts['draft']): readonly PortListener[] {
  const found = machines
    .filter(({ written: { ssh, address } }) => ssh?.host === undefined || ssh.host === address)
    .map(({ written: { ssh }, path }) => ({
      port: ssh?.port ?? draft.ssh?.port ?? defaults.sshPort,
      what: 'sshd',
      path: ssh?.port === undefined ? ['ssh', 'port'] : [...path, 'ssh', 'port'],
    }));
  return [...new Map(found.toReversed().map((each) => [each.port, each])).values()];
}

/** NFS, where one of the machines is a storage server. */
export function nfs(machines: readonly MachineFact[], draft: Facts['draft']): readonly PortListener[] {
  const servers = storageServersOf(draft).map(({ written }) => written.host);
  return machines.some(({ name }) => servers.includes(name)) ? [{ port: 2049, what: 'NFS', path: [] }] : [];
}

const ofEveryNode: readonly PortListener[] = [
  { port: 10248, what: 'the kubelet' },
  { port: 10249, what: 'kube-proxy' },
  { port: 10250, what: 'the kubelet' },
  { port: 10256, what: 'kube-proxy' },
].map((listener) => ({ ...listener, path: [] }));

const kubernetes: readonly PortListener[] = [
  ...[2379, 2380, 2381].map((port) => ({ port, what: 'etcd', path: [] })),
  ...ofEveryNode,
  { port: 10257, what: 'the controller manager', path: [] },
  { port: 10259, what: 'the scheduler', path: [] },
];
