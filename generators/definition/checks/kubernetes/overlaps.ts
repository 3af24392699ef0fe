import { podSubnetsOf, serviceSubnetsOf } from '../../derived.ts';
import { warning, type Finding, type Path } from '../../../source/finding.ts';
import { cidr, contains, overlap, parseAddress, type Block } from '../../../source/networks.ts';
import type { Facts, MachineFact } from '../facts.ts';

/** Addresses beside the nodes' networks that nodes talk to: where they lie among those of pods or Services, packets do not arrive. */
export function overlaps(facts: Facts): readonly Finding[] {
  const { draft, nodeSubnets } = facts;
  const networks = [
    ...podSubnetsOf(draft).map((block) => ({ kind: 'pod', block }) as const),
    ...serviceSubnetsOf(draft).map((block) => ({ kind: 'service', block }) as const),
  ];
  // Of networks that overlap those of the nodes it is said already; a registry may be a Service.
  const apart = networks.filter(({ block }) => !nodeSubnets.some((subnet) => overlap(subnet, block)));
  const all = addressesBeside(facts);
  return apart.flatMap(({ kind, block }) => {
    const inside = all.filter(
      ({ address, path }) => contains(block, address) && !(kind === 'service' && path[0] === 'containerd'),
    );
    return inside.length === 0 ? [] : [shadowWarning(inside, kind, block)];
  });
}

interface PlacedAddress {
  readonly path: Path;
  readonly what: string;
  readonly address: Block;
}

/** One finding for a network, since another network would be right for all of them. */
function shadowWarning(inside: readonly PlacedAddress[], kind: 'pod' | 'service', block: Block): Finding {
  const [{ path, what, address } = { path: [], what: '', address: block }, ...others] = inside;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return warning(
    path,
    `${address.address} (${what})${more} ${others.length === 0 ? 'lies' : 'lie'} in the ${kind} network ${cidr(block)}, so nodes and pods may not reach ${others.length === 0 ? 'it' : 'them'}`,
    `a ${kind} network that nobody else has addresses of`,
  );
}

function addressesBeside({ draft, nodes, hosts, endpoint }: Facts): readonly PlacedAddress[] {
  const { ansibleServer, containerd, proxy } = draft;
  const server = typeof ansibleServer === 'object' ? ansibleServer.host : undefined;
  return [
    ...placeAddress(['ansibleServer', 'host'], 'the Ansible server', server),
    ...placeAddress(['controlPlaneEndpoint', 'address'], 'the endpoint', endpoint?.address),
    ...[...nodes, ...hosts].flatMap(addressesOf),
    ...(containerd?.registries ?? []).flatMap((registry, index) => [
      ...placeAddress(['containerd', 'registries', index, 'host'], 'a registry', registry?.host),
      ...(registry?.mirrors ?? []).flatMap((mirror, at) =>
        placeAddress(['containerd', 'registries', index, 'mirrors', at], 'a mirror', mirror),
      ),
    ]),
    ...placeAddress(['proxy', 'http'], 'the proxy', proxy?.http),
    ...placeAddress(['proxy', 'https'], 'the proxy', proxy?.https),
  ];
}

const addressesOf = ({ path, name, address, written }: MachineFact): readonly PlacedAddress[] => [
  ...placeAddress([...path, 'address'], name, address?.address),
  ...placeAddress([...path, 'ssh', 'host'], `the way to ${name}`, written.ssh?.host),
];

/** An address, alone, with a port or in a URL; a name may lead anywhere. */
function placeAddress(path: Path, what: string, text: string | undefined): readonly PlacedAddress[] {
  const host = (text ?? '').replace(/^https?:\/\/(?:[^@/]*@)?/, '').replace(/\/.*$/, '');
  const address = parseAddress(host) ?? parseAddress(host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));
  return address ? [{ path, what, address }] : [];
}
