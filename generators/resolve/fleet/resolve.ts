import type { Cluster, Fleet, FleetCluster, FleetNode, FleetRole } from '../../cluster/cluster.ts';
import { fleetDefaults } from '../../definition/fleet/defaults.ts';
import type { FleetDefinition } from '../../definition/fleet/schema/schema.ts';
import { resolveBase } from '../base.ts';
import { distances } from '../../definition/fleet/distances.ts';
import { hostInUrl } from '../../source/networks.ts';

/** Fills every default of a definition of kind Fleet. What only a cluster has says "none". */
export function resolveFleet(definition: FleetDefinition): Cluster {
  const nodes = inOrder(definition.nodes);
  const base = resolveBase({
    ...definition,
    hosts: nodes.map(({ name, address, ssh }) => ({ name, address, ...(ssh ? { ssh } : {}) })),
  });
  return {
    ...base,
    secrets: base.secrets.map((use) => ({ ...use, path: use.path.replace(/^hosts\./, 'nodes.') })),
    fleet: fleetOf(definition, nodes, base.machines),
  };
}

type FleetNodeDefinition = FleetDefinition['nodes'][number];

/** Who is configured before another node may be on its way to the control node; none but hops are. */
function inOrder(nodes: readonly FleetNodeDefinition[]): readonly FleetNodeDefinition[] {
  const away = distances(nodes.map(({ name, role, peers = [] }) => ({ name, role, peers })));
  const nearer = (one: FleetNodeDefinition, other: FleetNodeDefinition): number =>
    (away.get(one.name) ?? 0) - (away.get(other.name) ?? 0);
  const having = (role: FleetRole): FleetNodeDefinition[] => nodes.filter((node) => node.role === role);
  return [...having('control'), ...having('hop').sort(nearer), ...having('execution')];
}

function fleetOf(
  { certificates, clusters = [] }: FleetDefinition,
  nodes: readonly FleetNodeDefinition[],
  machines: Cluster['machines'],
): Fleet {
  const resolved = nodes.map((node) => nodeOf(node, nodes, machines));
  return {
    control: resolved[0]?.name ?? '',
    nodes: resolved,
    certificates:
      certificates?.directory === undefined
        ? { kind: 'receptor', authority: certificates?.authority ?? fleetDefaults.authority }
        : { kind: 'given', directory: certificates.directory },
    clusters: clusters.map((cluster) => clusterOf(cluster, nodes)),
  };
}

function nodeOf(
  node: FleetNodeDefinition,
  nodes: readonly FleetNodeDefinition[],
  machines: Cluster['machines'],
): FleetNode {
  const machine = (name: string) => machines.find((each) => each.name === name);
  const portOf = (name: string): number =>
    nodes.find((each) => each.name === name)?.port ?? fleetDefaults.port;
  const target = (name: string): string => {
    return `${hostInUrl(machine(name)?.address ?? '')}:${portOf(name)}`;
  };
  const dialledBy = nodes.filter(({ peers = [] }) => peers.includes(node.name)).map(({ name }) => name);
  return {
    name: node.name,
    role: node.role,
    site: node.site ?? '',
    address: machine(node.name)?.address ?? '',
    user: machine(node.name)?.ssh.user ?? '',
    port: dialledBy.length > 0 ? portOf(node.name) : 0,
    peers: (node.peers ?? []).map((name) => ({ name, target: target(name) })),
    sealingKey: node.sealingKey ?? '',
    dialledBy,
  };
}

function clusterOf(
  { name, definition, site, node, labels = {} }: NonNullable<FleetDefinition['clusters']>[number],
  nodes: readonly FleetNodeDefinition[],
): FleetCluster {
  const there = nodes.find((each) => each.role === 'execution' && each.site === site);
  return {
    ...{ name, definition, site },
    node: node ?? there?.name ?? '',
    labels: Object.entries(labels)
      .map(([key, value]) => ({ key, value }))
      .sort((a, b) => (a.key < b.key ? -1 : 1)),
  };
}
