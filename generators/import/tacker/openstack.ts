import { field, fieldAt, itemsOf, textAt, textOf } from '../../source/foreign/look.ts';
import type { ForeignNode, TextPlace } from '../../source/foreign/node.ts';
import type { Documents } from './documents.ts';

/** An address and where it was told. */
export interface CloudAddress {
  readonly text: string;
  readonly place: TextPlace;
}

export interface CloudServer {
  readonly name: string;
  readonly fixed: CloudAddress | undefined;
  readonly floating: CloudAddress | undefined;
  readonly computeHost: string | undefined;
  readonly zone: string | undefined;
  readonly status: string | undefined;
  /** Its networks, in the order of the file. */
  readonly networks: readonly string[];
  readonly place: TextPlace;
}

/** What `openstack … list -f json` and the REST APIs say, by the identifiers that join them. */
export interface OpenStack {
  readonly fixedOfPort: (id: string) => readonly CloudAddress[];
  readonly floatingOfPort: (id: string) => CloudAddress | undefined;
  readonly floatingById: (id: string) => CloudAddress | undefined;
  readonly server: (id: string) => CloudServer | undefined;
  readonly deviceOfVolume: (id: string) => string | undefined;
}

export function openStack({ ports, floating, servers, volumes }: Documents): OpenStack {
  const port = byId(ports);
  const address = new Map(
    floating.map((node) => [textAt(node, 'port_id') ?? textAt(node, 'port') ?? '', node]),
  );
  const floatingIds = byId(floating);
  const floatingTexts = new Set(floating.flatMap((node) => textAt(node, 'floating_ip_address') ?? []));
  const machine = byId(servers);
  const volume = byId(volumes);
  const toldAt = (node: ForeignNode | undefined): CloudAddress | undefined =>
    cloudAddress(field(node, 'floating_ip_address'));
  return {
    fixedOfPort: (id) => fixedAddresses(field(port.get(id), 'fixed_ip_addresses', 'fixed_ips')),
    floatingOfPort: (id) => (id === '' ? undefined : toldAt(address.get(id))),
    floatingById: (id) => toldAt(floatingIds.get(id)),
    server: (id) => serverOf(machine.get(id), floatingTexts),
    deviceOfVolume: (id) => deviceOf(volume.get(id)),
  };
}

const byId = (nodes: readonly ForeignNode[]): ReadonlyMap<string, ForeignNode> =>
  new Map(
    nodes.flatMap((node) =>
      textAt(node, 'id') === undefined ? [] : [[textAt(node, 'id') ?? '', node] as const],
    ),
  );

export const cloudAddress = (node: ForeignNode | undefined): CloudAddress | undefined => {
  const text = textOf(node);
  return node && text !== undefined ? { text, place: node.place } : undefined;
};

/** A list of mappings, or the text that older clients write: `ip_address='10.0.0.9', subnet_id='…'`. */
export function fixedAddresses(node: ForeignNode | undefined): readonly CloudAddress[] {
  if (node?.kind === 'scalar')
    return [...node.text.matchAll(/ip_address['"]?\s*[=:]\s*['"]([^'"]+)['"]/g)].map(([, text = '']) => ({
      text,
      place: node.place,
    }));
  return itemsOf(node).flatMap((item) => cloudAddress(field(item, 'ip_address')) ?? cloudAddress(item) ?? []);
}

function serverOf(node: ForeignNode | undefined, floating: ReadonlySet<string>): CloudServer | undefined {
  if (!node) return undefined;
  const addresses = addressesOf(field(node, 'networks', 'addresses'));
  const isFloating = ({ text, kind }: (typeof addresses)[number]): boolean =>
    kind === 'floating' || floating.has(text);
  const [first, ...others] = addresses;
  return {
    name: textAt(node, 'name') ?? '',
    fixed: addresses.find((each) => !isFloating(each)) ?? first,
    floating: addresses.find(isFloating) ?? others.find(({ network }) => network === first?.network),
    computeHost: textAt(node, 'OS-EXT-SRV-ATTR:host') ?? textAt(node, 'host'),
    zone: textAt(node, 'OS-EXT-AZ:availability_zone') ?? textAt(node, 'availability_zone'),
    status: textAt(node, 'status'),
    networks: [...new Set(addresses.map(({ network }) => network))],
    place: node.place,
  };
}

interface NetworkAddress extends CloudAddress {
  readonly network: string;
  readonly kind: string;
}

/** `net0=10.10.0.9, 172.24.4.72; net1=…`, a mapping of lists, or a mapping of what Nova answers. */
export function addressesOf(node: ForeignNode | undefined): readonly NetworkAddress[] {
  if (node?.kind === 'scalar')
    return node.text.split(/;\s*/).flatMap((part) => {
      const [network = '', list = ''] = part.split('=');
      return list
        .split(/,\s*/)
        .filter((text) => text !== '')
        .map((text) => ({ text: text.trim(), network, kind: '', place: node.place }));
    });
  if (node?.kind !== 'map') return [];
  return node.entries.flatMap(({ key, value }) =>
    itemsOf(value).flatMap((item) => {
      const found = cloudAddress(field(item, 'addr')) ?? cloudAddress(item);
      return found ? [{ ...found, network: key, kind: textAt(item, 'OS-EXT-IPS:type') ?? '' }] : [];
    }),
  );
}

export const deviceOf = (node: ForeignNode | undefined): string | undefined =>
  itemsOf(field(node, 'attached_to', 'attachments') ?? fieldAt(node, 'attributes', 'attachments'))
    .map((each) => textAt(each, 'device'))
    .find((device) => device !== undefined);
