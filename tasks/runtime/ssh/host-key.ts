import { createHash } from 'node:crypto';
import type { Failure } from '../failures.ts';
import type { Trust } from './hop.ts';
import { entriesFor, type KnownHost } from './known-hosts.ts';
import type { ServerHostKeyAlgorithm } from './ssh2.ts';
import { knownHostName } from '../../../generators/source/networks.ts';

/** A key as a server shows it. */
export interface HostKey {
  readonly type: string;
  /** Base64. */
  readonly key: string;
}

export const hostKeyOf = (wire: Buffer): HostKey => ({
  type: wire.subarray(4, 4 + wire.readUInt32BE(0)).toString('ascii'),
  key: wire.toString('base64'),
});

/** As OpenSSH writes it: `SHA256:…`. */
export const fingerprint = ({ key }: HostKey): string =>
  `SHA256:${createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64').replace(/=+$/, '')}`;

/** A failure unless the key is the right one. */
export function judge(
  shown: HostKey,
  { trust, known }: { readonly trust: Trust; readonly known: readonly KnownHost[] },
): Failure | undefined {
  const entries = entriesFor(known, trust.name, trust.port);
  const revoked = entries.find((entry) => entry.marker === '@revoked' && entry.key === shown.key);
  if (revoked !== undefined) return revokedKey(shown, trust, revoked);
  if (trust.pin !== '') return judgePin(shown, trust);
  const plain = entries.filter((entry) => entry.marker === '');
  if (plain.some((entry) => entry.key === shown.key)) return undefined;
  const other = plain.find((entry) => entry.type === shown.type) ?? plain[0];
  return other === undefined ? unknownKey(shown, trust) : changedKey(shown, trust, other);
}

/** The algorithms to offer: those of the keys that are known come first, so that the server shows one of these. */
export function preferredAlgorithms(
  trust: Trust,
  known: readonly KnownHost[],
): readonly ServerHostKeyAlgorithm[] {
  const pinned = trust.pin.includes(' ') ? [trust.pin.split(' ')[0] ?? ''] : [];
  const entries = entriesFor(known, trust.name, trust.port).filter(({ marker }) => marker === '');
  const types = trust.pin === '' ? entries.map(({ type }) => type) : pinned;
  const isKnown = (algorithm: string): boolean =>
    types.includes(algorithm.startsWith('rsa-sha2') ? 'ssh-rsa' : algorithm);
  return [...algorithms.filter(isKnown), ...algorithms.filter((algorithm) => !isKnown(algorithm))];
}

/** ssh2's, without the signatures over SHA-1. */
const algorithms: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
];

function judgePin(shown: HostKey, trust: Trust): Failure | undefined {
  const [first = '', key] = trust.pin.trim().split(/\s+/);
  if (key === undefined ? first === fingerprint(shown) : key === shown.key) return undefined;
  const pinned = key === undefined ? first : fingerprint({ type: first, key });
  return {
    kind: 'host-key',
    message: `${place(trust)} is not the machine in the definition: it shows ${describeKey(shown)}, ansibleServer.hostKey says ${pinned}`,
    next: 'Find out why, on a console of that machine; only if it was reinstalled, change ansibleServer.hostKey',
  };
}

const unknownKey = (shown: HostKey, trust: Trust): Failure => ({
  kind: 'host-key',
  message: `${place(trust)} is not known: it shows ${describeKey(shown)}`,
  next: `Compare that with \`ssh-keygen -lf /etc/ssh/ssh_host_${shortType(shown.type)}_key.pub\` on a console of that machine; then run \`npx task trust\`, or put it into the definition as ansibleServer.hostKey`,
});

const changedKey = (shown: HostKey, trust: Trust, { place: line, type, key }: KnownHost): Failure => ({
  kind: 'host-key',
  message: `${place(trust)} is not the machine it was: it shows ${describeKey(shown)}, ${line} says ${describeKey({ type, key })}. Nothing was sent to it`,
  next: `Find out why: somebody may be intercepting. Only if it was reinstalled, remove ${line} and trust the new key`,
});

const revokedKey = (shown: HostKey, trust: Trust, { place: line }: KnownHost): Failure => ({
  kind: 'host-key',
  message: `${place(trust)} shows ${describeKey(shown)}, which ${line} revokes. Nothing was sent to it`,
  next: 'Give that machine a new host key, and trust that one',
});

const place = ({ name, port }: Trust): string => knownHostName(name, port);
const describeKey = (key: HostKey): string => `${shortType(key.type)} ${fingerprint(key)}`;

const shortType = (type: string): string =>
  type === 'ssh-rsa' ? 'rsa' : type.startsWith('ecdsa') ? 'ecdsa' : type.replace(/^ssh-/, '');
