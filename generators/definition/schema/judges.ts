import { parseAddress, parseBlock, networkOf, cidr, rangeOf } from '../../source/networks.ts';
import type { ValueJudge } from './key.ts';

/** A judge that knows one pattern. */
export const matching =
  (pattern: RegExp, what: string, right: string): ValueJudge<string> =>
  (value) =>
    pattern.test(value) ? undefined : { wrong: `${show(value)} is not ${what}`, right };

/** A name that is safe as a host name, an inventory name, a folder and a word in a configuration file. */
export const name: ValueJudge<string> = (value) => {
  if (!/^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(value))
    return {
      wrong: `${show(value)} is not a name that is safe everywhere`,
      right: 'up to 63 small letters, digits and hyphens, a letter first, no hyphen last, like worker-01',
    };
  return reservedNames.has(value)
    ? { wrong: `${show(value)} means something else to Ansible`, right: `a name other than ${value}` }
    : undefined;
};

/**
 * A name of a machine, which is that of its node: it may include a domain. Kubernetes keeps it in a label, which has 63
 * characters; what ends in a number alone looks like an address.
 */
export const machineName: ValueJudge<string> = (value) => {
  const labels = value.split('.');
  if (labels.length === 1) return name(value);
  return value.length <= 63 &&
    /^[a-z]/.test(value) &&
    /[a-z]/.test(labels.at(-1) ?? '') &&
    labels.every((label) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(label))
    ? undefined
    : {
        wrong: `${show(value)} is not a name that is safe everywhere`,
        right: 'up to 63 small letters, digits, hyphens and dots, a letter first, like worker-01.example.org',
      };
};

export const uid: ValueJudge<string> = (value) =>
  /^[0-9A-Za-z][-0-9A-Za-z]{7,63}$/.test(value)
    ? undefined
    : {
        wrong: `${show(value)} is no UID`,
        right: '8 to 64 letters, digits and hyphens that no other cluster has; `uuidgen` prints some',
      };

export const address: ValueJudge<string> = (value) => {
  const parsed = parseAddress(value);
  if (!parsed)
    return parseBlock(value)
      ? { wrong: `${show(value)} has a prefix, where an address alone belongs`, right: value.split('/')[0] ?? '' }
      : { wrong: `${show(value)} is not an IP address`, right: '192.0.2.11 or 2001:db8::11' };
  return ofMachine(value, rangeOf(parsed));
};

export const addressWithPrefix: ValueJudge<string> = (value) => {
  const parsed = parseBlock(value);
  if (parsed) return ofMachine(value, rangeOf(parsed));
  return parseAddress(value)
    ? {
        wrong: `${show(value)} has no prefix, so nobody knows its network`,
        right: `${value}/${value.includes(':') ? 64 : 24}, if that is the network's prefix`,
      }
    : { wrong: `${show(value)} is not an IP address with a prefix`, right: '192.0.2.80/24 or 2001:db8::80/64' };
};

export const subnet: ValueJudge<string> = (value) => {
  const parsed = parseBlock(value);
  if (!parsed)
    return { wrong: `${show(value)} is not a network in CIDR form`, right: '10.244.0.0/16 or fd00:10:244::/56' };
  const network = networkOf(parsed);
  return network.bits === parsed.bits
    ? undefined
    : { wrong: `${show(value)} has host bits set: it is an address inside ${cidr(network)}`, right: cidr(network) };
};

/** A DNS-1123 subdomain, as kubeadm wants it; what looks like an address is none. */
export const dnsName: ValueJudge<string> = (value) => {
  if (isSubdomain(value)) return undefined;
  if (parseAddress(value) ?? parseBlock(value))
    return { wrong: `${show(value)} is an address, where a DNS name belongs`, right: 'api.cluster.example.org' };
  const small = value.toLowerCase();
  return {
    wrong: `${show(value)} is not a DNS name`,
    right: isSubdomain(small)
      ? small
      : 'words of up to 63 small letters, digits and hyphens, joined by dots, like api.cluster.example.org',
  };
};

/** Programs read what ends in a number as an address. */
const isSubdomain = (value: string): boolean =>
  value.length <= 253 &&
  /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/.test(value) &&
  !/(?:^|\.)\d+$/.test(value);

/** A DNS name, an IP address, or a word of `~/.ssh/config`. */
export const host: ValueJudge<string> = (value) =>
  isHost(value)
    ? undefined
    : { wrong: `${show(value)} is not a host name or an IP address`, right: '203.0.113.11 or node1.example.org' };

/** What looks like an address must be one. */
const isHost = (value: string): boolean =>
  /^[\d.]+$|:/.test(value)
    ? parseAddress(value) !== undefined
    : value.length <= 253 && /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/.test(value);

export const user = matching(/^[A-Za-z_][\w.-]{0,31}$/, 'a name of a user', 'ubuntu');

export const absolutePath = matching(
  /^~?\/[\p{L}\p{N}._/@+=:, -]*$/u,
  'an absolute path, or one from a home directory, without quotes and special characters',
  '/etc/playsmith/id_ed25519 or ~/.ssh/id_ed25519',
);

/** Somewhere below the root or a home directory, by the shortest way. */
export const directory: ValueJudge<string> = (value) =>
  /^~?(?:\/(?!\.{1,2}(?:\/|$))[\p{L}\p{N}._@+-]+)+$/u.test(value)
    ? undefined
    : {
        wrong: `${show(value)} is not a path that is safe to work in`,
        right: 'an absolute one, or one from a home directory, without spaces and `..`, like /opt/playsmith',
      };

/** Reaches no generated file, so it may hold more; relative ones start at the definition's folder. */
export const localPath = matching(/^\S(?:.*\S)?$/u, 'a path', 'secrets/keepalived');

export const interfaceName = matching(/^(?!\.{1,2}$)\w[\w.-]{0,14}$/, 'a name of a network interface', 'eth0');

export const environmentName: ValueJudge<string> = (value) =>
  /^[A-Za-z_]\w*$/.test(value)
    ? undefined
    : { wrong: 'this is not a name of an environment variable', right: 'PLAYSMITH_PASSWORD' };

export const word: ValueJudge<string> = (value) =>
  value === '' ? { wrong: 'the text is empty', right: 'some text' } : undefined;

export const variableName = matching(/^[A-Za-z_][\w-]*$/, 'a key of a vault file', 'keepalived_password');

export const duration: ValueJudge<string> = (value) =>
  milliseconds(value) > 0 && milliseconds(value) <= 3_600_000
    ? undefined
    : { wrong: `${show(value)} is not a length of time`, right: '1s or 200ms' };

export const release = matching(/^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){1,2}$/, 'a released version', '2.17.14');

/** `user@host:port` as OpenSSH writes it; an IPv6 address stands in brackets. */
export const jumpHost: ValueJudge<string> = (value) => {
  const [, login, bracketed, plain = '', port = '22'] =
    /^(?:([^@]*)@)?(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(value) ?? [];
  const isSound =
    (login === undefined || user(login) === undefined) &&
    (bracketed === undefined ? isHost(plain) : parseAddress(bracketed)?.family === 6) &&
    Number(port) >= 1 &&
    Number(port) <= 65_535;
  return isSound
    ? undefined
    : {
        wrong: `${show(value)} is not a jump host as OpenSSH writes it`,
        right: 'ubuntu@bastion.example.org:22',
      };
};

/** `1s` or `200ms` in milliseconds; 0 if it is neither. */
export function milliseconds(value: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,7})(ms|s)$/.exec(value) ?? [];
  return Number(digits) * (unit === 's' ? 1000 : 1);
}

export const show = (value: string): string =>
  JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}…` : value);

const ofMachine = (value: string, range: string): ReturnType<ValueJudge<string>> => {
  const what = notForMachines.get(range);
  return what === undefined
    ? undefined
    : { wrong: `${show(value)} is ${what} address, which no machine can have on a network`, right: '192.0.2.11' };
};

const notForMachines: ReadonlyMap<string, string> = new Map([
  ['unspecified', 'the unspecified'],
  ['broadcast', 'a broadcast'],
  ['multicast', 'a multicast'],
  ['linkLocal', 'a link-local'],
  ['loopback', 'a loopback'],
  ['ipv4Mapped', 'an IPv4-mapped'],
]);

/** Names of groups and of the machine itself. */
const reservedNames = new Set([
  ...['all', 'ungrouped', 'localhost', 'etcd', 'bastion', 'balancers'],
  ...['targets', 'others', 'unaffected', 'leaving', 'skipped', 'kubectl_host', 'reached', 'owned'],
]);

/** A port from 1 to 65535, as a part of a pattern. */
export const portPattern =
  '(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])';
