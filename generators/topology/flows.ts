import type { BalancedService, Cluster, Machine } from '../cluster/cluster.ts';
import type { BoxId, Flow } from './picture.ts';

/** All flows between boxes that are there; those that are only inside of a box lead to itself. */
export function flowsOf(cluster: Cluster, boxes: ReadonlySet<BoxId>, own: readonly Flow[]): readonly Flow[] {
  const all = [
    ...api(cluster),
    ...addresses(cluster),
    ...inside(cluster),
    ...pods(cluster),
    ...services(cluster),
    ...storage(cluster),
    ...own,
    ...management(cluster, boxes),
  ];
  return all.filter(({ from, to }) => boxes.has(from) && boxes.has(to));
}

function api({ endpoint, network: { apiServerPort }, externalLoadBalancer }: Cluster): readonly Flow[] {
  const { placement, port, etcdPort } = { ...endpoint, etcdPort: endpoint.haproxy.etcdPort };
  const through = placement === 'dedicated' ? 'load-balancer' : 'control-plane';
  const outside = externalLoadBalancer.apiPort;
  return [
    flow('clients', 'endpoint', `${port}/tcp`, 'Kubernetes API'),
    flow('endpoint', through, `${placement === 'none' ? apiServerPort : port}/tcp`, sayer[placement]),
    flow('load-balancer', 'control-plane', `${apiServerPort}/tcp`, 'HAProxy to the API servers'),
    ...(placement === 'stacked'
      ? [flow('control-plane', 'control-plane', `${apiServerPort}/tcp`, 'HAProxy to the API servers')]
      : []),
    ...(etcdPort === 0
      ? []
      : [flow('clients', 'endpoint', `${etcdPort}/tcp`, 'etcd, its mutual TLS passed through')]),
    ...(outside === 0 ? [] : [flow('clients', 'external-load-balancer', `${outside}/tcp`, 'Kubernetes API')]),
    ...(outside === 0
      ? []
      : [
          flow(
            'external-load-balancer',
            'control-plane',
            `${apiServerPort}/tcp`,
            'HAProxy to the API servers',
          ),
        ]),
    flow('worker', 'endpoint', `${port}/tcp`, 'kubelet to the API'),
  ];
}

const sayer = {
  stacked: 'HAProxy on the holder of the address',
  dedicated: 'HAProxy on the holder of the address',
  external: 'a load balancer that is not ours',
  local: 'one API server itself',
  none: 'the one API server itself',
} as const;

function addresses({ endpoint: { placement, balancers }, externalLoadBalancer }: Cluster): readonly Flow[] {
  const holder = placement === 'dedicated' ? 'load-balancer' : 'control-plane';
  const outside = externalLoadBalancer.address !== '' && externalLoadBalancer.balancers.length > 1;
  const election = 'keepalived: who holds the address';
  return [
    ...(balancers.length > 1 ? [flow(holder, holder, 'vrrp', election)] : []),
    ...(outside ? [flow('external-load-balancer', 'external-load-balancer', 'vrrp', election)] : []),
  ];
}

function inside({ machines, kubernetes }: Cluster): readonly Flow[] {
  if (machines.every(({ roles }) => !roles.includes('control-plane')) || kubernetes.installer === 'none')
    return [];
  const isOwn = machines.some(({ roles }) => roles.includes('etcd') && !roles.includes('control-plane'));
  const members = isOwn ? 'etcd' : 'control-plane';
  return [
    flow('control-plane', 'worker', '10250/tcp', 'API server to the kubelets'),
    flow(members, members, '2380/tcp', 'etcd among its members'),
    flow('control-plane', members, '2379/tcp', 'API server to etcd'),
  ];
}

function pods({ podNetwork }: Cluster): readonly Flow[] {
  const used = tunnelOf(podNetwork);
  if (used === undefined) return [];
  return [
    flow('worker', 'worker', used, `pods, ${podNetwork.plugin}`),
    flow('control-plane', 'worker', used, `pods, ${podNetwork.plugin}`),
  ];
}

/** How pods reach pods of another node, as each plugin is set up here; undefined: somebody else's plugin. */
export function tunnelOf({ plugin, flannel, encapsulation }: Cluster['podNetwork']): string | undefined {
  if (plugin === 'none') return undefined;
  if (plugin === 'static-routes') return 'routed';
  if (plugin === 'flannel') return flannel.backend === 'host-gw' ? 'routed' : '8472/udp';
  if (plugin === 'cilium') return '8472/udp, 4240/tcp, icmp';
  return { vxlan: '4789/udp', ipip: 'ipip, 179/tcp' }[encapsulation as string] ?? 'routed, 179/tcp';
}

function services({ externalLoadBalancer: { services: all }, machines }: Cluster): readonly Flow[] {
  return all.flatMap(({ namespace, name, port, nodePort, backends }) => [
    flow('clients', 'external-load-balancer', `${port}/tcp`, `Service ${namespace}/${name}`),
    ...boxesOf(backends, machines).map((box) =>
      flow(
        'external-load-balancer',
        box,
        nodePort === 0 ? 'its node port' : `${nodePort}/tcp`,
        `Service ${namespace}/${name}`,
      ),
    ),
  ]);
}

/** Where those stand that the external load balancer sends connections to: a control plane may be a worker too. */
export const boxesOf = (
  backends: BalancedService['backends'],
  machines: readonly Machine[],
): readonly BoxId[] => {
  const isBoth = machines.some(({ roles }) => roles.includes('worker') && roles.includes('control-plane'));
  if (backends === 'control-planes') return ['control-plane'];
  return isBoth ? ['worker', 'control-plane'] : ['worker'];
};

const storage = ({ storage: { servers } }: Cluster): readonly Flow[] =>
  servers.length === 0 ? [] : [flow('worker', 'storage', '2049/tcp', 'NFS')];

function management({ machines }: Cluster, boxes: ReadonlySet<BoxId>): readonly Flow[] {
  const ports = [...new Set(machines.map(({ ssh }) => ssh.port))].sort((a, b) => a - b);
  return [...boxes]
    .filter((id) => !['clients', 'ansible-server', 'endpoint', 'cluster'].includes(id))
    .map((id) => flow('ansible-server', id, `${ports.join(', ')}/tcp`, 'SSH: Ansible'));
}

export const flow = (from: BoxId, to: BoxId, port: string, what: string): Flow => ({ from, to, port, what });
