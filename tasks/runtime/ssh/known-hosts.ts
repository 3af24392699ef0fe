import { createHmac } from 'node:crypto';
import { knownHostName } from '../../../generators/source/networks.ts';

/** One line of a known_hosts file. */
export interface KnownHost {
  /** Like `~/.ssh/known_hosts:12`. */
  readonly place: string;
  readonly marker: '' | '@cert-authority' | '@revoked';
  readonly hosts: string;
  readonly type: string;
  /** Base64. */
  readonly key: string;
}

/** The lines of a file that OpenSSH would read; others are left out. */
export function parseKnownHosts(text: string, path: string): KnownHost[] {
  return text.split('\n').flatMap((line, index) => {
    const words = line.trim().split(/\s+/);
    const marker = words[0] === '@cert-authority' || words[0] === '@revoked' ? words[0] : '';
    const [hosts, type, key] = marker === '' ? words : words.slice(1);
    if (hosts === undefined || hosts.startsWith('#') || type === undefined || key === undefined) return [];
    return [{ place: `${path}:${index + 1}`, marker, hosts, type, key }];
  });
}

/** The entries for a host: those for its port, else those that name no port, as OpenSSH falls back. */
export function entriesFor(known: readonly KnownHost[], host: string, port: number): readonly KnownHost[] {
  const name = host.toLowerCase();
  const exact = known.filter(({ hosts }) => matches(hosts, knownHostName(name, port)));
  return exact.length > 0 || port === 22 ? exact : known.filter(({ hosts }) => matches(hosts, name));
}

function matches(hosts: string, name: string): boolean {
  if (hosts.startsWith('|1|')) return matchesHash(hosts, name);
  const patterns = hosts.toLowerCase().split(',');
  const hits = (pattern: string): boolean => wildcard(pattern).test(name);
  if (patterns.some((pattern) => pattern.startsWith('!') && hits(pattern.slice(1)))) return false;
  return patterns.some((pattern) => !pattern.startsWith('!') && hits(pattern));
}

function matchesHash(hosts: string, name: string): boolean {
  const [, , salt = '', hash = ''] = hosts.split('|');
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash;
}

const wildcard = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replaceAll(/[\\^$.|+()[\]{}]/g, String.raw`\$&`)
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );
