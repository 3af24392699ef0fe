import ipaddr from 'ipaddr.js';

export type Family = 4 | 6;

/** An address and a prefix, read once: `bits` is the address as a number, for comparing. */
export interface Block {
  readonly address: string;
  readonly prefix: number;
  readonly family: Family;
  readonly bits: bigint;
}

/** Reads `192.0.2.1` or `2001:db8::1` strictly: no leading zeros, no short forms, no zone; undefined if it is neither. */
export function parseAddress(text: string): Block | undefined {
  if (dottedQuad.test(text)) return block(ipaddr.IPv4.parse(text));
  if (text.includes(':') && colonHex.test(text) && ipaddr.IPv6.isValid(text))
    return block(ipaddr.IPv6.parse(text));
  return undefined;
}

/** Reads an address with its prefix, like `192.0.2.80/24`; host bits may be set. */
export function parseBlock(text: string): Block | undefined {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const parsed = parseAddress(address);
  if (!parsed || rest.length > 0 || !wholeNumber.test(prefix) || Number(prefix) > width(parsed.family))
    return undefined;
  return { ...parsed, prefix: Number(prefix) };
}

/** The network that a block lies in: the same prefix, no host bits. */
export const networkOf = ({ bits, prefix, family }: Block): Block => {
  const hostBits = BigInt(width(family) - prefix);
  const network = (bits >> hostBits) << hostBits;
  return { address: addressText(network, family), prefix, family, bits: network };
};

export const contains = (outer: Block, inner: Block): boolean =>
  outer.family === inner.family &&
  outer.prefix <= inner.prefix &&
  networkOf({ ...inner, prefix: outer.prefix }).bits === networkOf(outer).bits;

export const overlap = (a: Block, b: Block): boolean => contains(a, b) || contains(b, a);

export const cidr = ({ address, prefix }: Block): string => `${address}/${prefix}`;

/** The last address of a block's network. */
export const lastOf = (given: Block): bigint =>
  networkOf(given).bits + (1n << BigInt(width(given.family) - given.prefix)) - 1n;

/** `loopback`, `multicast`, …, or `unicast` for what a machine on a network may have. */
export const rangeOf = ({ address }: Block): string => ipaddr.parse(address).range();

export const width = (family: Family): number => (family === 4 ? 32 : 128);

/** The canonical text (RFC 5952 for IPv6) of an address as a number. */
export function addressText(bits: bigint, family: Family): string {
  const count = width(family) / 8;
  const bytes = Array.from({ length: count }, (_, index) =>
    Number((bits >> BigInt(8 * (count - 1 - index))) & 0xffn),
  );
  return ipaddr.fromByteArray(bytes).toString();
}

const block = (parsed: ipaddr.IPv4 | ipaddr.IPv6): Block => {
  const family = parsed.kind() === 'ipv4' ? 4 : 6;
  return { address: parsed.toString(), prefix: width(family), family, bits: bitsOf(parsed.toByteArray()) };
};

const bitsOf = (bytes: readonly number[]): bigint =>
  bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const dottedQuad = new RegExp(`^(?:${octet}\\.){3}${octet}$`);
const colonHex = /^[0-9a-fA-F:]+(?:\d+\.\d+\.\d+\.\d+)?$/;
const wholeNumber = /^(?:0|[1-9]\d{0,2})$/;

/** A name or an address as it stands in a URL. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** A host as known_hosts calls it. */
export const knownHostName = (host: string, port: number): string =>
  port === 22 ? host : `[${host}]:${port}`;

/** One text for whatever is written of one host: an address in its short form, a name in small letters and without its last dot. */
export const canonicalHost = (host: string): string =>
  parseAddress(host)?.address ?? host.toLowerCase().replace(/\.$/, '');
