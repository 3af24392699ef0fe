import { nodeMask } from '../../../cluster/node-mask.ts';
import { defaults } from '../../defaults.ts';
import { familyOf, podSubnetsOf, serviceSubnetsOf } from '../../derived.ts';
import { problemAt, warning, type Finding, type Path } from '../../../source/finding.ts';
import { cidr, overlap, parseBlock, width, type Block } from '../../../source/networks.ts';
import type { Draft } from '../../schema/schema.ts';
import { hasGap } from '../../gaps.ts';
import type { Facts } from '../facts.ts';

/** Networks of nodes, pods and services: apart from each other, and of a size that Kubernetes takes. */
export const networks = ({ draft, nodes, nodeSubnets }: Facts): readonly Finding[] => {
  const pods = podSubnetsOf(draft);
  const services = serviceSubnetsOf(draft);
  return [
    ...apart([...ofKind('node', nodeSubnets), ...ofKind('pod', pods), ...ofKind('service', services)], draft),
    ...families(draft, { pods, services }),
    ...[...ofKind('pod', pods), ...ofKind('service', services)].flatMap(nobodyRoutes),
    ...services.filter(isTooLarge).map(serviceTooLarge),
    ...services.filter(isTooSmall).map(serviceTooSmall),
    // kubespray shares them out by settings of its own.
    ...(draft.installer?.kubespray
      ? []
      : pods.flatMap((block) =>
          podSize(block, {
            nodes: nodes.length,
            isKubeadm: draft.installer?.kubeadm !== undefined,
            isShared: sharesParts(draft.network?.plugin),
          }),
        )),
  ];
};

type NetworkKind = 'node' | 'pod' | 'service';

interface KindBlock {
  readonly kind: NetworkKind;
  readonly block: Block;
}

const ofKind = (kind: NetworkKind, blocks: readonly Block[]): KindBlock[] =>
  blocks.map((block) => ({ kind, block }));

const pathOf = (kind: NetworkKind): Path => ['network', `${kind}Subnet`];

const apart = (all: readonly KindBlock[], draft: Draft): Finding[] =>
  all.flatMap((one, index) =>
    all
      .slice(index + 1)
      .filter((other) => overlap(one.block, other.block))
      .map((other) => overlapping(one, other, draft)),
  );

function overlapping(one: KindBlock, other: KindBlock, draft: Draft): Finding {
  const isWritten = draft.network?.[`${other.kind}Subnet`] !== undefined;
  return problemAt(
    pathOf(isWritten ? other.kind : one.kind),
    `the ${other.kind} network ${cidr(other.block)}${isWritten ? '' : ' (the default)'} overlaps the ${one.kind} network ${cidr(one.block)}`,
    isWritten
      ? 'networks that have no address in common'
      : `another ${one.kind} network, or \`network.${other.kind}Subnet\``,
  );
}

interface PodsAndServices {
  readonly pods: readonly Block[];
  readonly services: readonly Block[];
}

/** One network, or one of each family with the cluster's own first; pods and services alike. */
function families(draft: Draft, blocks: PodsAndServices): Finding[] {
  const wrong = [...family(draft, 'pod', blocks.pods), ...family(draft, 'service', blocks.services)];
  const { length: pods } = blocks.pods;
  const { length: services } = blocks.services;
  if (wrong.length > 0 || pods === 0 || services === 0 || pods === services) return wrong;
  return [
    problemAt(
      pathOf(draft.network?.serviceSubnet === undefined ? 'pod' : 'service'),
      `pods have ${countOf(pods)}, services ${countOf(services)}`,
      'as many in `podSubnet` as in `serviceSubnet`: one, or one of each family',
    ),
  ];
}

function family(draft: Draft, kind: 'pod' | 'service', blocks: readonly Block[]): Finding[] {
  const found = blocks.map((block) => block.family);
  const wanted = familyOf(draft);
  if (found.length > 2 || (found.length === 2 && found[0] === found[1]))
    return [
      problemAt(pathOf(kind), 'these are neither one network nor one of each family', `[${dualStack[kind]}]`),
    ];
  const isKnown = !hasGap(draft, 'controlPlaneEndpoint.address', 'network.nodeSubnet.*', 'nodes.*.address');
  return found[0] === undefined || found[0] === wanted || !isKnown
    ? []
    : [
        problemAt(
          pathOf(kind),
          `the first is IPv${found[0]}, but the nodes have IPv${wanted}`,
          `an IPv${wanted} network first`,
        ),
      ];
}

const countOf = (networks: number): string => (networks === 1 ? 'one network' : `${networks} networks`);

/** The API server takes at most 20 bits of hosts. */
const isTooLarge = (block: Block): boolean => width(block.family) - block.prefix > 20;

const serviceTooLarge = (block: Block): Finding =>
  problemAt(
    pathOf('service'),
    `${cidr(block)} is larger than the API server takes`,
    `a prefix of ${width(block.family) - 20} or more`,
  );

/** kubeadm wants ten addresses (`MinimumAddressesInServiceSubnet`): the tenth is that of the cluster's DNS. */
const isTooSmall = (block: Block): boolean => width(block.family) - block.prefix < 4;

const serviceTooSmall = (block: Block): Finding =>
  problemAt(
    pathOf('service'),
    `${cidr(block)} has fewer than the ten addresses that kubeadm wants, of which the tenth is that of the DNS`,
    `a prefix of ${width(block.family) - 4} or less`,
  );

/** Networks in which no pod and no Service can have an address. */
const unusable = (
  [
    ['127.0.0.0/8', 'loopback addresses'],
    ['169.254.0.0/16', 'link-local addresses'],
    ['224.0.0.0/4', 'multicast addresses'],
    ['::1/128', 'the loopback address'],
    ['fe80::/10', 'link-local addresses'],
    ['ff00::/8', 'multicast addresses'],
  ] as const
).flatMap(([text, what]) => {
  const block = parseBlock(text);
  return block ? [{ block, what }] : [];
});

function nobodyRoutes({ kind, block }: KindBlock): Finding[] {
  const found = unusable.find((each) => overlap(each.block, block));
  return found
    ? [
        problemAt(
          pathOf(kind),
          `the ${kind} network ${cidr(block)} holds ${found.what} (${cidr(found.block)}), with which nobody reaches another machine`,
          defaults[`${kind === 'pod' ? 'pod' : 'service'}Subnet`][block.family],
        ),
      ]
    : [];
}

/** Calico shares out parts of its own, as does whoever is installed by somebody else. */
const sharesParts = (plugin: NonNullable<Draft['network']>['plugin']): boolean =>
  typeof plugin === 'string' ? plugin === 'none' : plugin?.calico !== undefined || plugin === undefined;

interface SharingNodes {
  readonly nodes: number;
  readonly isKubeadm: boolean;
  /** Whether more nodes than the network has parts for may get some of it. */
  readonly isShared: boolean;
}

/**
 * Each node gets a /24, or a /64 of IPv6; with kubeadm less of a narrow network. Kubernetes takes at most 16 bits of nodes, those of
 * IPv4 kubeadm alone.
 */
function podSize(block: Block, { nodes, isKubeadm, isShared }: SharingNodes): Finding[] {
  const longest = block.family === 4 ? 24 : 64;
  const bits = longest - block.prefix;
  const isLimited = isKubeadm || block.family === 6;
  if (bits < 0 || (bits > 16 && isLimited))
    return [
      problemAt(
        pathOf('pod'),
        `${cidr(block)} cannot be shared out: each node gets a /${longest} of it${bits > 16 ? ', and more than 65536 of them are too many' : ''}`,
        isLimited ? `a prefix from ${longest - 16} to ${longest}` : `a prefix of ${longest} or less`,
      ),
    ];
  const mask = isKubeadm ? nodeMask(block.prefix, block.family) : longest;
  const parts = 2 ** (mask - block.prefix);
  const wrong = `${cidr(block)} has a /${mask} for ${parts} nodes, and there are ${nodes}`;
  if (parts >= nodes) return [];
  return isKubeadm && !isShared
    ? [problemAt(pathOf('pod'), wrong, `a prefix of ${longest - Math.ceil(Math.log2(nodes))} or less`)]
    : [
        warning(
          pathOf('pod'),
          wrong,
          'a larger network, unless your network plugin shares out smaller parts',
        ),
      ];
}

const dualStack = { pod: '10.244.0.0/16, "fd00:10:244::/56"', service: '10.96.0.0/16, "fd00:10:96::/112"' };
