import { BlockList, isIP } from 'node:net';

/** Reads `127.0.0.1:8080` or `[::1]:0`; a fault of usage otherwise. A name is none: it may lead anywhere. */
export function listenAddress(text: string): { readonly host: string; readonly port: number } {
  const [, six, four, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = six ?? four ?? '';
  const port = Number(digits);
  if (isIP(host) === (six === undefined ? 4 : 6) && port <= 65_535) return { host, port };
  throw new Error(`--web-listen has to be an address and a port like 127.0.0.1:8080 or [::1]:0, not ${text}`);
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether only this machine reaches an address. */
export const isLoopback = (host: string): boolean => loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
