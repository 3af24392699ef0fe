import type { Machine } from '../../../generators/cluster/cluster.ts';
import { ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { Server } from '../../runtime/server.ts';
import { knownHostName } from '../../../generators/source/networks.ts';

export interface ScannedKey {
  readonly type: string;
  /** Base64. */
  readonly key: string;
}

/** Machine name → the best key it shows to the Ansible server; a machine that does not answer is left out. */
export type Scan = ReadonlyMap<string, ScannedKey>;

const best = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa'];

/** Asks machines for their host keys, from the Ansible server, all those with the same port at once. */
export async function scanHostKeys(
  server: Server,
  machines: readonly Machine[],
): Promise<Result<Scan, Failure>> {
  const found = new Map<string, ScannedKey>();
  const ports = [...new Set(machines.map(({ ssh }) => ssh.port))];
  for (const port of ports) {
    const there = machines.filter(({ ssh }) => ssh.port === port);
    const hosts = [...new Set(there.map(({ ssh }) => ssh.host))];
    const scanned = await server.run({ argv: ['ssh-keyscan', '-T', '5', '-p', String(port), ...hosts] });
    if (!scanned.ok) return scanned;
    const keys = keysOf(scanned.value.stdout);
    for (const { name, ssh } of there) {
      const key = best.flatMap((type) => keys.get(knownHostName(ssh.host, port))?.get(type) ?? [])[0];
      if (key) found.set(name, key);
    }
  }
  return ok(found);
}

/** Base64 of a key that names its own type: it is written into a definition and into known_hosts. */
function isKey(type: string, key: string): boolean {
  const bytes = Buffer.from(key, 'base64');
  const name = `\0\0\0${String.fromCharCode(type.length)}${type}`;
  return bytes.toString('base64') === key && bytes.toString('latin1').startsWith(name);
}

function keysOf(text: string): ReadonlyMap<string, ReadonlyMap<string, ScannedKey>> {
  const hosts = new Map<string, Map<string, ScannedKey>>();
  for (const line of text.split('\n')) {
    const [, host, type, key] = /^([^#\s]\S*) (\S+) (\S+)$/.exec(line.trim()) ?? [];
    if (host === undefined || type === undefined || key === undefined || !isKey(type, key)) continue;
    const keys = hosts.get(host) ?? new Map<string, ScannedKey>();
    hosts.set(host, keys.set(type, { type, key }));
  }
  return hosts;
}
