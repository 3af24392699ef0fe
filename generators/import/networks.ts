import { cidr, contains, networkOf, parseAddress, parseBlock, type Block } from '../source/networks.ts';

/** The networks that machines most probably live in: the usual /24 or /64, a larger one where that holds them all. */
export function probableNetworks(addresses: readonly string[]): string[] {
  const found = addresses.flatMap((address) => parseAddress(address) ?? []);
  const usual = unique(found.map((address) => networkOf({ ...address, prefix: usualPrefix(address) })));
  const [first] = usual;
  if (!first || usual.length === 1) return usual.map(cidr);
  const larger = Array.from({ length: largest }, (_, index) =>
    networkOf({ ...first, prefix: first.prefix - index - 1 }),
  ).find((network) => usual.every((each) => contains(network, each)));
  return larger ? [cidr(larger)] : usual.map(cidr);
}

/** An address with a prefix: that of the network it lies in, or the usual one. */
export function withPrefix(address: string, networks: readonly string[]): string {
  const parsed = parseAddress(address);
  if (!parsed) return address;
  const network = networks.flatMap((each) => parseBlock(each) ?? []).find((each) => contains(each, parsed));
  return `${parsed.address}/${network?.prefix ?? usualPrefix(parsed)}`;
}

/** The network that an address with host bits lies in; undefined where nothing is to be corrected. */
export function withoutHostBits(text: string): string | undefined {
  const block = parseBlock(text);
  return block && networkOf(block).bits !== block.bits ? cidr(networkOf(block)) : undefined;
}

const usualPrefix = ({ family }: Block): number => (family === 4 ? 24 : 64);

const unique = (blocks: readonly Block[]): Block[] => [
  ...new Map(blocks.map((block) => [cidr(block), block])).values(),
];

/** How many bits larger than usual a network is thought to be at most. */
const largest = 4;
