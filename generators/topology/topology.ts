import type { Cluster, Fleet, Machine, Role } from '../cluster/cluster.ts';
import { flowsOf } from './flows.ts';
import { meshBoxes, meshFlows } from './mesh.ts';
import type { Box, BoxHost, BoxId, Flow, Topology } from './picture.ts';

/** Hosts by role, the addresses that clients use, storage, and the flows between them with their ports. */
export const clusterTopology = (cluster: Cluster): Topology =>
  topologyOf(cluster, [
    clients(cluster),
    ansibleServer(cluster),
    externalLoadBalancer(cluster),
    endpoint(cluster),
    ...machineBoxes(cluster),
    others(cluster),
  ]);

/** Nodes of the mesh by what they do, and the clusters that are run over it. */
export const fleetTopology = (cluster: Cluster, fleet: Fleet): Topology =>
  topologyOf(cluster, [ansibleServer(cluster), ...meshBoxes(fleet)], meshFlows(fleet));

function topologyOf(
  cluster: Cluster,
  all: readonly (Box | undefined)[],
  own: readonly Flow[] = [],
): Topology {
  const boxes = all.filter((box) => box !== undefined);
  return { boxes, flows: flowsOf(cluster, new Set(boxes.map(({ id }) => id)), own) };
}

const clients = ({ endpoint: { address } }: Cluster): Box | undefined =>
  address === '' ? undefined : { id: 'clients', title: 'Clients', detail: '', column: 0, hosts: [] };

const ansibleServer = ({ ansibleServer: server }: Cluster): Box => ({
  ...{ id: 'ansible-server', title: 'Ansible server', column: 0, hosts: [] },
  detail: server.kind === 'local' ? 'this machine' : server.host,
});

function endpoint({ endpoint: { address, prefix, dnsName, port, placement } }: Cluster): Box | undefined {
  if (address === '') return undefined;
  const held = ['external', 'local', 'none'].includes(placement) ? address : `${address}/${prefix}`;
  const detail = dnsName === undefined ? held : `${dnsName}, ${held}`;
  const title = placement === 'external' ? 'API endpoint, not ours' : 'API endpoint';
  return { id: 'endpoint', title, detail: `${detail}, port ${port}`, column: 1, hosts: [] };
}

function externalLoadBalancer({
  externalLoadBalancer: { balancers, address },
  machines,
}: Cluster): Box | undefined {
  if (balancers.length === 0) return undefined;
  const turn = turns(balancers, address !== '');
  return {
    ...{ id: 'external-load-balancer', title: 'External load balancer', column: 1, detail: address },
    hosts: machines.filter(has('external-load-balancer')).map((each) => hostOf(each, turn(each.name), [])),
  };
}

/** Every other machine stands in the box of the first of its roles. */
function machineBoxes({ machines, endpoint, storage }: Cluster): readonly Box[] {
  const turn = turns(endpoint.balancers, true);
  const exported = new Map(
    storage.servers.map(({ host, exports }) => [host, exports.map(({ path }) => path)]),
  );
  return kinds.flatMap(({ id, title, column }) => {
    const mine = machines.filter((machine) => kinds.find((kind) => has(kind.id)(machine))?.id === id);
    const hosts = mine.map((machine) =>
      hostOf(machine, turn(machine.name), [
        ...machine.roles.filter((role) => role !== id),
        ...(exported.get(machine.name) ?? []),
      ]),
    );
    return hosts.length === 0 ? [] : [{ id, title, column, hosts, detail: '' }];
  });
}

/** What has no role in a cluster: a deploy host. */
function others({ machines }: Cluster): Box | undefined {
  const hosts = machines.filter(({ roles }) => roles.length === 0).map((each) => hostOf(each, 0, []));
  return hosts.length === 0 ? undefined : { id: 'machine', title: 'Machines', column: 2, hosts, detail: '' };
}

const kinds = [
  { id: 'control-plane', title: 'Control plane', column: 2 },
  { id: 'worker', title: 'Workers', column: 3 },
  { id: 'etcd', title: 'etcd', column: 3 },
  { id: 'load-balancer', title: 'Load balancers', column: 1 },
  { id: 'storage', title: 'Storage', column: 4 },
] as const satisfies readonly { id: BoxId & Role; title: string; column: number }[];

const has =
  (role: Role) =>
  ({ roles }: Machine): boolean =>
    roles.includes(role);

const hostOf = ({ name, address }: Machine, turn: number, marks: readonly string[]): BoxHost => ({
  ...{ name, address, turn, marks },
});

/** Who holds a virtual address first, second, … while all are well. */
const turns =
  (balancers: readonly { readonly name: string }[], isShared: boolean) =>
  (name: string): number =>
    isShared ? balancers.findIndex((balancer) => balancer.name === name) + 1 : 0;
