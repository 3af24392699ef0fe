import { podSubnetsOf, serviceSubnetsOf } from '../../derived.ts';
import { problemAt, type Finding } from '../../../source/finding.ts';
import { cidr, contains, parseAddress, type Block } from '../../../source/networks.ts';
import { unusableOf } from '../node/addresses.ts';
import type { Facts, MachineFact } from '../facts.ts';
import { repetitions } from '../node/repeated.ts';

interface DualStackNode extends MachineFact {
  readonly second: Block | undefined;
}

/** In a dual-stack cluster of ours each node has an address of each family; elsewhere a second one says nothing. */
export function dualStack(facts: Facts): readonly Finding[] {
  const { draft } = facts;
  const pods = podSubnetsOf(draft);
  if (pods.length === 0) return [];
  const nodes = facts.nodes.map((node) => ({ ...node, second: secondOf(facts, node) }));
  if (pods.length === 1) return nodes.flatMap(withoutEffect);
  return [
    ...(draft.installer?.kubeadm ? nodes.flatMap((node) => missing(node)) : []),
    ...nodes.flatMap((node) => secondAddressFindings(node, facts)),
    ...addressesTwice(nodes, facts.hosts),
  ];
}

const secondOf = ({ draft }: Facts, { path }: MachineFact): Block | undefined =>
  parseAddress(draft.nodes?.[Number(path[1])]?.secondaryAddress ?? '');

const at = ({ path }: MachineFact): (string | number)[] => [...path, 'secondaryAddress'];

const withoutEffect = (node: DualStackNode): Finding[] =>
  node.second
    ? [
        problemAt(
          at(node),
          `${node.name} has two addresses, but pods and services have one family`,
          'remove the key, or give a network of each family in `network.podSubnet` and `network.serviceSubnet`',
        ),
      ]
    : [];

function missing({ path, name, address, written }: DualStackNode): Finding[] {
  if (Object.hasOwn(written, 'secondaryAddress') || !address) return [];
  const lacking = address.family === 4 ? 6 : 4;
  return [
    problemAt(
      [...path, 'address'],
      `${name} has no IPv${lacking} address, and pods and services have both families`,
      `\`secondaryAddress\`, its IPv${lacking} address; or one network each in \`network.podSubnet\` and \`network.serviceSubnet\``,
    ),
  ];
}

function secondAddressFindings(node: DualStackNode, { draft, nodeSubnets }: Facts): Finding[] {
  const { second, address, name } = node;
  if (!second || !address) return [];
  if (second.family === address.family)
    return [
      problemAt(
        at(node),
        `both addresses of ${name} are of IPv${second.family}`,
        `its IPv${second.family === 4 ? 6 : 4} address`,
      ),
    ];
  const inner = [...podSubnetsOf(draft), ...serviceSubnetsOf(draft)].find((block) => contains(block, second));
  if (inner)
    return [
      problemAt(
        at(node),
        `${second.address} of ${name} is inside ${cidr(inner)}, which belongs to pods or services`,
        'an address outside of it',
      ),
    ];
  const near = nodeSubnets.filter(({ family }) => family === second.family);
  const network = near.find((block) => contains(block, second));
  if (near.length > 0 && !network)
    return [
      problemAt(
        at(node),
        `${second.address} of ${name} is outside the node network ${near.map(cidr).join(' and ')}`,
        'an address inside it, or `network.nodeSubnet` with every network of the nodes',
      ),
    ];
  const unusable = network && unusableOf(second, network);
  return unusable ? [problemAt(at(node), unusable, `another address of ${cidr(network)}`)] : [];
}

/** Two nodes with one second address, or one that is another machine's first. */
function addressesTwice(nodes: readonly DualStackNode[], hosts: readonly MachineFact[]): Finding[] {
  const first = new Map([...nodes, ...hosts].map(({ address, name }) => [address?.address, name]));
  const say = (node: DualStackNode, other: string): Finding =>
    problemAt(
      at(node),
      `${node.second?.address ?? ''} is already an address of ${other}`,
      'an address that no other machine has',
    );
  return [
    ...repetitions(nodes, ({ second }) => second?.address).map(([node, other]) => say(node, other.name)),
    ...nodes.flatMap((node) => {
      const other = node.second && first.get(node.second.address);
      return other === undefined || other === node.name ? [] : [say(node, other)];
    }),
  ];
}
