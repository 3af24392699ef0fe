import { apiServerPortOf, podSubnetsOf, serviceSubnetsOf } from '../../derived.ts';
import { problemAt, keyWarning, type Finding } from '../../../source/finding.ts';
import { cidr, contains, networkOf, type Block } from '../../../source/networks.ts';
import { unusableOf } from '../node/addresses.ts';
import { hasGap } from '../../gaps.ts';
import { hole, type Facts, type MachineFact } from '../facts.ts';

/** The address that clients use: there is one, somebody holds it, and it is nobody else's. */
export function endpoint(facts: Facts): readonly Finding[] {
  const { draft, placement } = facts;
  if (hole(draft, 'controlPlaneEndpoint')) return [];
  if (!draft.controlPlaneEndpoint) return withoutEndpoint(facts);
  if (placement?.kind === 'none') return ownAddress(facts);
  if (placement?.kind === 'local') return localAddress(facts);
  const { endpoint: address } = facts;
  if (!address || draft.controlPlaneEndpoint.address === undefined) return [];
  return [...virtual(facts, address), ...(placement ? effects(facts) : [])];
}

const at = (...keys: string[]): string[] => ['controlPlaneEndpoint', ...keys];

function withoutEndpoint({ draft, controlPlanes = [] }: Facts): Finding[] {
  if (controlPlanes.length > 1)
    return [
      problemAt(
        at(),
        `${controlPlanes.length} control planes need one address for all of them: \`controlPlaneEndpoint\` is missing`,
        'controlPlaneEndpoint: { address: 192.0.2.80/24 }',
      ),
    ];
  return controlPlanes.length === 1 &&
    draft.network?.nodeSubnet === undefined &&
    !hasGap(draft, 'network.nodeSubnet')
    ? [
        problemAt(
          ['network', 'nodeSubnet'],
          'the network of the nodes is unknown: `nodeSubnet` is missing in `network`',
          'network: { nodeSubnet: 192.0.2.0/24 }',
        ),
      ]
    : [];
}

/** Placement `none`: the one control plane is the endpoint. */
function ownAddress({ draft, controlPlanes, endpoint: address }: Facts): Finding[] {
  const [only, ...others] = controlPlanes ?? [];
  if (!only) return [];
  if (others.length > 0)
    return [
      problemAt(
        at('loadBalancer', 'placement'),
        `with ${others.length + 1} control planes, \`none\` would leave clients with one of them`,
        'stacked, { hosts: [lb01, lb02] } or external',
      ),
    ];
  const port = draft.controlPlaneEndpoint?.port;
  const apiServerPort = apiServerPortOf(draft);
  return [
    ...(address && only.address && address.bits !== only.address.bits
      ? [
          problemAt(
            at('address'),
            `nothing would hold ${address.address}: there is one control plane and no load balancer`,
            `${only.address.address}/${address.prefix}, the address of ${only.name}; or \`loadBalancer: { placement: stacked }\``,
          ),
        ]
      : []),
    ...(port !== undefined && port !== apiServerPort && !hasGap(draft, 'network.apiServerPort')
      ? [
          problemAt(
            at('port'),
            `nothing would listen on port ${port}: without a load balancer the API server itself answers`,
            `${apiServerPort}, the port of the API server`,
          ),
        ]
      : []),
  ];
}

/** kubespray's own balancer: nodes ask it at home, and everybody else asks one control plane. */
function localAddress({ draft, controlPlanes = [], endpoint: address }: Facts): Finding[] {
  const [first] = controlPlanes;
  return [
    ...(draft.installer?.kubespray === undefined && !hasGap(draft, 'installer.kubespray')
      ? [
          problemAt(
            at('loadBalancer', 'placement'),
            '`local` is a balancer of kubespray, which does not install this cluster',
            'stacked, { hosts: [lb01, lb02] } or external',
          ),
        ]
      : []),
    ...(address && isStrange(address, controlPlanes) && !hasGap(draft, 'nodes.*.address')
      ? [
          problemAt(
            at('address'),
            `no control plane has ${address.address}: with \`local\` nobody else answers`,
            `${first?.address?.address ?? ''}/${address.prefix}`,
          ),
        ]
      : []),
  ];
}

function virtual({ draft, nodes, hosts, placement, nodeSubnets }: Facts, address: Block): Finding[] {
  const holder = [...nodes, ...hosts].find((machine) => isSame(machine.address, address));
  const network = nodeSubnets.find((subnet) => contains(subnet, address));
  const isOurs = placement?.kind === 'stacked' || placement?.kind === 'dedicated';
  const say = (wrong: string, right: string): Finding => problemAt(at('address'), wrong, right);
  const unusable = unusableOf(address, network ?? networkOf(address));
  const others = [...podSubnetsOf(draft), ...serviceSubnetsOf(draft)].filter((block) =>
    contains(block, address),
  );
  return [
    ...(holder
      ? [say(`${address.address} is the address of ${holder.name}`, 'an address that no machine has')]
      : []),
    ...(isOurs && nodeSubnets.length > 0 && !network
      ? [
          say(
            `${address.address} is outside the node network ${nodeSubnets.map(cidr).join(' and ')}`,
            'a free address inside it',
          ),
        ]
      : []),
    ...(unusable ? [say(unusable, 'another address of that network')] : []),
    ...(network ? [] : others).map((block) =>
      say(
        `${address.address} is inside ${cidr(block)}, which belongs to pods or services`,
        'an address outside it',
      ),
    ),
  ];
}

const isStrange = (address: Block, machines: readonly MachineFact[]): boolean =>
  machines.length > 0 && !machines.some((each) => isSame(each.address, address));

const isSame = (a: Block | undefined, b: Block): boolean => a?.family === b.family && a.bits === b.bits;

/** Keys of a load balancer that is not ours. */
function effects({ draft, placement }: Facts): Finding[] {
  const loadBalancer = draft.controlPlaneEndpoint?.loadBalancer;
  if (placement?.kind !== 'external') return [];
  return (['interface', 'haproxy', 'keepalived'] as const)
    .filter((key) => loadBalancer?.[key] !== undefined)
    .map((key) =>
      keyWarning(
        at('loadBalancer', key),
        `\`${key}\` has no effect: the load balancer is not set up by this definition`,
        'remove the key',
      ),
    );
}
