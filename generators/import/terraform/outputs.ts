import { parseAddress } from '../../source/networks.ts';
import { entry, itemsOf, textAt, textOf } from '../../source/foreign/look.ts';
import type { Problems } from '../../source/problem.ts';
import {
  doubtAt,
  wrongAt,
  type MapEntry,
  type ForeignNode,
  type TextPlace,
} from '../../source/foreign/node.ts';

/** One output of Terraform. */
export interface TerraformOutput {
  readonly name: string;
  readonly value: ForeignNode;
  readonly place: TextPlace;
}

export const outputOf = ({ key, keyPlace, value }: MapEntry): TerraformOutput => ({
  name: key.toLowerCase(),
  value: entry(value, 'value')?.value ?? value,
  place: keyPlace,
});

const words = {
  balancer: /(?:^|_)(?:lb|nlb|elb|vip|load_?balancer|api_(?:ip|fqdn|endpoint)|ingress)/,
  bastion: /bastion|jump/,
  etcd: /etcd/,
  controlPlane: /master|control_?plane|controller/,
  worker: /worker|node|minion/,
};

export type OutputKind = keyof typeof words;

/** The first word that fits: `control_plane_lb_ip` is a load balancer, `k8s_masters_no_etcd` a control plane. */
export function kindOf(name: string): OutputKind | undefined {
  const plain = name.replace(/no_etcd?|without_etcd/, '');
  return (Object.keys(words) as OutputKind[]).find((kind) => words[kind].test(plain));
}

/** An address that an output tells. */
export interface OutputAddress {
  readonly name: string;
  readonly address: string;
  readonly way: string;
  readonly place: TextPlace;
}

/** The machines of a kind: public addresses in an output of their own are the way to those that another one says. */
export function machinesIn(outputs: readonly TerraformOutput[], kind: OutputKind): readonly OutputAddress[] {
  const { inside, outside } = sidesOf(outputs, kind);
  if (inside.length === 0 || outside.length === 0) return [...inside, ...outside];
  return inside.map((each, index) => {
    const way = each.name === '' ? outside[index] : outside.find(({ name }) => name === each.name);
    return way === undefined ? each : { ...each, way: way.address };
  });
}

/** Where nothing tells which of two outputs' addresses are those of one machine. */
export function unpairedIn(outputs: readonly TerraformOutput[], kind: OutputKind): Problems {
  const { inside, outside } = sidesOf(outputs, kind);
  const names = new Set(inside.map(({ name }) => name));
  const isClear =
    inside.length === 0 || (inside.length === outside.length && outside.every(({ name }) => names.has(name)));
  return isClear
    ? []
    : outside
        .slice(0, 1)
        .map(({ place }) =>
          wrongAt(
            place,
            `nothing says to which of ${inside.length} machines ${outside.length === 1 ? 'this public address belongs' : `these ${outside.length} public addresses belong`}`,
            'as many of both, or one output with private_ip and public_ip of each machine',
          ),
        );
}

function sidesOf(outputs: readonly TerraformOutput[], kind: OutputKind) {
  const all = outputs.filter(({ name }) => kindOf(name) === kind);
  const isOutside = ({ name }: TerraformOutput): boolean =>
    /public|external|floating|fips?(?:_|$)/.test(name);
  return {
    inside: all.filter((each) => !isOutside(each)).flatMap(seenIn),
    outside: all.filter(isOutside).flatMap(seenIn),
  };
}

/** A list or mapping of addresses, or of objects that hold a private and a public one. */
export function seenIn({ value, place }: TerraformOutput): readonly OutputAddress[] {
  if (value.kind === 'scalar') {
    const text = textOf(value) ?? '';
    return text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => parseAddress(each))
      .map((each) => ({ name: '', address: each, way: each, place }));
  }
  const rows: readonly MapEntry[] =
    value.kind === 'map'
      ? value.entries
      : value.items.map((item) => ({ key: '', keyPlace: place, value: item }));
  return rows.flatMap(({ key, value: item }) => seenAs(key, item));
}

function seenAs(key: string, item: ForeignNode): readonly OutputAddress[] {
  const inside = first(item, [
    'private_ip',
    'private_ip_address',
    'fixed_ip',
    'access_ip_v4',
    'internal_ip',
    'ip',
    'ip_address',
    'address',
    'ipv4_address',
  ]);
  const outside = first(item, ['public_ip', 'public_ip_address', 'floating_ip', 'external_ip', 'fip']);
  const own = textOf(item);
  const address = own ?? inside ?? outside;
  if (address === undefined || parseAddress(address) === undefined) return [];
  return [
    {
      name: key || (textAt(item, 'name') ?? textAt(item, 'hostname') ?? ''),
      address,
      way: outside ?? address,
      place: item.place,
    },
  ];
}

const first = (node: ForeignNode, names: readonly string[]): string | undefined =>
  names
    .map((name) => textAt(node, name))
    .find((text) => text !== undefined && parseAddress(text) !== undefined);

/** What stands among machines and is none: it becomes no node, which nobody should find out later. */
export function strangeIn({ name, value }: TerraformOutput): Problems {
  const kind = kindOf(name);
  if ((kind !== 'controlPlane' && kind !== 'worker' && kind !== 'etcd') || value.kind === 'scalar') return [];
  return itemsOf(value)
    .filter((item) => seenAs('', item).length === 0)
    .map(({ place }) =>
      doubtAt(
        { ...place, length: Math.min(place.length, 60) },
        `among ${name} this is no address of a machine, so it becomes no node`,
        '192.0.2.11, or a mapping with private_ip',
      ),
    );
}
