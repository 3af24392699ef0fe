import { createHash } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesFolder, type LabPlace } from '../machine/place.ts';
import { isVirtual } from '../state/shape.ts';
import {
  operatorKey,
  privateFile,
  seedFolder,
  serverKey,
  type LabState,
  type StoredHost,
} from '../state/state.ts';
import { hostAddress } from '../state/subnet.ts';

/** Writes the folder that a host finds at /lab when it starts: all that makes it this host of this lab. */
export async function writeSeed(place: LabPlace, state: LabState, host: StoredHost): Promise<void> {
  const folder = seedFolder(place, state.name, host.name);
  const files = filesFor(state, host);
  await Promise.all(files.map((name) => copyFile(join(filesFolder, name), join(folder, name))));
  const texts = await textsFor(place, state, host);
  await Promise.all(Object.entries(texts).map(([name, text]) => privateFile(join(folder, name), text)));
  if (files.includes('stand-in-api.py')) await writeFile(join(folder, 'stand-in-api'), '');
}

function filesFor({ shape }: LabState, { roles, kind }: StoredHost): readonly string[] {
  const isStandIn = shape.standInApi && !shape.kubernetes && roles.includes('control-plane');
  return [
    'seed.sh',
    ...(kind === 'virtual' ? [] : ['init.sh']),
    ...(isStandIn ? ['stand-in-api.py', 'stand-in-api.service'] : []),
    ...(roles.includes('client') ? ['probe.py'] : []),
  ];
}

async function textsFor(
  place: LabPlace,
  state: LabState,
  host: StoredHost,
): Promise<Readonly<Record<string, string>>> {
  const operator = await readFile(`${operatorKey(place, state.name)}.pub`, 'utf8');
  const server = await readFile(`${serverKey(place, state.name)}.pub`, 'utf8');
  const isServer = host.roles.includes('ansible');
  return {
    hosts: [
      '127.0.0.1 localhost',
      '::1 localhost',
      ...state.hosts.map(({ address, name }) => `${address} ${name}`),
      '',
    ].join('\n'),
    hostname: `${host.name}\n`,
    'machine-id': `${createHash('sha256').update(host.hostKey).digest('hex').slice(0, 32)}\n`,
    authorized_keys: isServer ? operator : operator + server,
    passwords: `ops:${state.password}\n`,
    gateway: `${hostAddress(state.subnet, 1)}\n`,
    ...(isServer
      ? { id_ed25519: await readFile(serverKey(place, state.name), 'utf8'), 'id_ed25519.pub': server }
      : {}),
    ...(isVirtual(host) ? { 'eth0.network': networkOf(state, host) } : {}),
  };
}

/** As init.sh sets it in a container: nobody answers as a cloud, which a kubelet that asks one learns at once. */
const networkOf = ({ subnet }: LabState, { address }: StoredHost): string =>
  [
    ...['[Match]', 'Name=eth0', '[Network]', `Address=${address}/24`, `Gateway=${hostAddress(subnet, 1)}`],
    ...['DHCP=no', 'IPv6AcceptRA=no', '[Route]', 'Destination=169.254.169.254/32', 'Type=unreachable', ''],
  ].join('\n');
