import { problemAt, type Finding } from '../../../source/finding.ts';
import { cidr, contains, lastOf, networkOf, width, type Block } from '../../../source/networks.ts';
import type { Facts, MachineFact } from '../facts.ts';

/** Nodes, load balancers and the virtual address share a network, in which each has an address that can be used. */
export function addresses(facts: Facts): readonly Finding[] {
  const strange = networkOfNobody(facts);
  return strange.length > 0
    ? strange
    : [...facts.nodes.flatMap((node) => inside(node, facts.nodeSubnets)), ...balancersBeside(facts)];
}

/** What is wrong with all nodes is wrong with the network that they are held against. */
function networkOfNobody({ draft, nodes, nodeSubnets }: Facts): Finding[] {
  const [network] = nodeSubnets;
  const known = nodes.flatMap(({ address }) => address ?? []);
  if (draft.network?.nodeSubnet !== undefined || network === undefined || known.length < 2) return [];
  if (known.some((address) => contains(network, address))) return [];
  return [
    problemAt(
      ['controlPlaneEndpoint', 'address'],
      `no node is in ${cidr(network)}, which follows from this address and its prefix`,
      "an address and the prefix of the nodes' network, or `network.nodeSubnet` with every network of the nodes",
    ),
  ];
}

function inside({ path, name, address }: MachineFact, subnets: readonly Block[]): Finding[] {
  if (!address || subnets.length === 0) return [];
  const network = subnets.find((subnet) => contains(subnet, address));
  const at = [...path, 'address'];
  if (!network) {
    const all = subnets.map(cidr).join(' and ');
    return [
      problemAt(
        at,
        `${address.address} of ${name} is outside the node network ${all}`,
        'an address inside it, or `network.nodeSubnet` with every network of the nodes',
      ),
    ];
  }
  const unusable = unusableOf(address, network);
  return unusable ? [problemAt(at, unusable, `another address of ${cidr(network)}`)] : [];
}

/** VRRP does not cross a router. */
function balancersBeside(facts: Facts): Finding[] {
  const { draft, placement, endpoint, nodeSubnets, balancers = [] } = facts;
  if (!draft.controlPlaneEndpoint || !endpoint || placement?.kind === 'external') return [];
  const network = nodeSubnets.find((subnet) => contains(subnet, endpoint)) ?? networkOf(endpoint);
  return balancers.flatMap((machine) => beside(machine, network, facts));
}

function beside({ address, path, name }: MachineFact, network: Block, { nodeSubnets }: Facts): Finding[] {
  if (!address) return [];
  const isNode = path[0] === 'nodes';
  const at = [...path, 'address'];
  if (!contains(network, address))
    return isNode && !nodeSubnets.some((subnet) => contains(subnet, address))
      ? []
      : [
          problemAt(
            at,
            `${address.address} of ${name} is not in ${cidr(network)}, the network of the virtual address that it may hold`,
            `an address in ${cidr(network)}`,
          ),
        ];
  const unusable = isNode ? undefined : unusableOf(address, network);
  return unusable ? [problemAt(at, unusable, `another address of ${cidr(network)}`)] : [];
}

/** Why nobody can have an address: it is the network's own name, or its broadcast. */
export function unusableOf(address: Block, network: Block): string | undefined {
  if (width(network.family) - network.prefix < 2) return undefined;
  if (address.bits === networkOf(network).bits)
    return `${address.address} is the name of the network ${cidr(network)} itself`;
  return network.family === 4 && address.bits === lastOf(network)
    ? `${address.address} is the broadcast address of ${cidr(network)}`
    : undefined;
}
