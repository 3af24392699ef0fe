import { rangeText, readNodePorts, usualNodePorts } from '../catalog/kubernetes/node-ports.ts';
import type { BalancedService, Cluster } from '../cluster/cluster.ts';
import { boxesOf, flow, tunnelOf } from './flows.ts';
import type { BoxId, Flow, Topology } from './picture.ts';

/** What the machines of one box have to let in: a row of a firewall, or a rule of a security group of Neutron. */
export interface Rule {
  readonly to: string;
  readonly from: string;
  /** As `6443/tcp`; IP protocols without ports by name and number. */
  readonly port: string;
  readonly what: string;
}

/** Every rule, where it arrives; addresses that move between machines stand for the machines that may hold them. */
export function rulesOf(cluster: Cluster, { boxes, flows }: Topology): readonly Rule[] {
  const ids = new Set(boxes.map(({ id }) => id));
  const holder = holderOf(cluster);
  const all = [...flows, ...besides(cluster)].flatMap((flow) => arrivals(flow, holder));
  const title = (id: BoxId): string => boxes.find((box) => box.id === id)?.title ?? id;
  const rows = all
    .filter(({ from, to }) => ids.has(from) && ids.has(to))
    .flatMap(({ from, to, port, what }) =>
      port.split(', ').map((each) => ({ to: title(to), from: title(from), port: portName(each), what })),
    );
  const order = boxes.map((box) => box.title);
  return [...new Map(rows.map((row) => [`${row.to} ${row.from} ${row.port}`, row])).values()].sort(
    (a, b) => order.indexOf(a.to) - order.indexOf(b.to),
  );
}

/** The box whose machines hold the endpoint; none where it is not ours. */
const holderOf = ({ endpoint: { placement } }: Cluster): BoxId | undefined =>
  placement === 'external' ? undefined : placement === 'dedicated' ? 'load-balancer' : 'control-plane';

/** A flow to the endpoint arrives at its holders; what leaves the endpoint has arrived there already. */
function arrivals(flow: Flow, holder: BoxId | undefined): readonly Flow[] {
  if (holder === undefined) return flow.to === 'endpoint' ? [] : [flow];
  if (flow.from === 'endpoint') return [];
  return [flow.to === 'endpoint' ? { ...flow, to: holder } : flow];
}

/** What a picture of the flows between boxes leaves out: the way back of a pair, and within a box. */
function besides(cluster: Cluster): readonly Flow[] {
  return [...statistics(cluster), ...amongNodes(cluster), ...etcdBalanced(cluster), ...healthChecks(cluster)];
}

const etcdBalanced = ({ endpoint: { haproxy } }: Cluster): readonly Flow[] =>
  haproxy.etcdPort === 0 ? [] : [flow('load-balancer', 'control-plane', '2379/tcp', 'HAProxy to etcd')];

/** By which HAProxy tells that a node takes connections; without them none is ever up. */
const healthChecks = ({ externalLoadBalancer, machines }: Cluster): readonly Flow[] =>
  externalLoadBalancer.services.flatMap((service) =>
    boxesOf(service.backends, machines).flatMap((box) =>
      healthPorts(service, externalLoadBalancer.healthPort).map((port) =>
        flow('external-load-balancer', box, port, 'health check of HAProxy: kube-proxy'),
      ),
    ),
  );

function healthPorts(service: BalancedService, usual: number): readonly string[] {
  const { externalTrafficPolicy, healthCheckNodePort, lookUp } = service;
  if (externalTrafficPolicy !== 'Local') return [`${usual}/tcp`];
  if (healthCheckNodePort > 0) return [`${healthCheckNodePort}/tcp`];
  return lookUp ? ['its health check node port'] : [];
}

const statistics = ({ endpoint: { haproxy } }: Cluster): readonly Flow[] =>
  haproxy.stats.port === 0
    ? []
    : [flow('clients', 'endpoint', `${haproxy.stats.port}/tcp`, 'statistics of HAProxy, not encrypted')];

function amongNodes(cluster: Cluster): readonly Flow[] {
  const { endpoint, network, podNetwork, kubernetes, storage } = cluster;
  const nfs = storage.servers.length > 0 ? [flow('control-plane', 'storage', '2049/tcp', 'NFS')] : [];
  if (kubernetes.installer === 'none') return nfs;
  const nodes = ['control-plane', 'worker'] as const;
  const used = tunnelOf(podNetwork);
  const given = nodePortsOf(cluster);
  return [
    flow('control-plane', 'endpoint', `${endpoint.port}/tcp`, 'kubelet to the API'),
    flow('worker', 'control-plane', `${network.apiServerPort}/tcp`, 'pods to the API servers'),
    flow('control-plane', 'control-plane', `${network.apiServerPort}/tcp`, 'pods to the API servers'),
    flow('control-plane', 'control-plane', '10250/tcp', 'API server to the kubelets'),
    ...nodes.flatMap((to) => [
      ...(used === undefined ? [] : nodes.map((from) => flow(from, to, used, `pods, ${podNetwork.plugin}`))),
      flow('clients', to, `${given}/tcp, ${given}/udp`, 'Services of type NodePort and LoadBalancer'),
    ]),
    ...nfs,
  ];
}

/** As the API servers are told. */
function nodePortsOf({ kubernetes, kubespray }: Cluster): string {
  const argument = kubernetes.extraArguments.apiServer.find(
    ({ name }) => name === 'service-node-port-range',
  )?.value;
  const text = argument ?? kubespray.variables['kube_apiserver_node_port_range'];
  return rangeText((typeof text === 'string' ? readNodePorts(text) : undefined) ?? usualNodePorts);
}

/** Protocols as Neutron, nftables and Ansible's modules know them. */
const portName = (port: string): string =>
  ({
    vrrp: 'IP protocol 112 (VRRP)',
    ipip: 'IP protocol 4 (IPIP)',
    icmp: 'ICMP',
    routed: 'every protocol, from addresses of the pods',
  })[port] ?? port;
