import { readYaml } from '../yaml.ts';

/** Group → its hosts in inventory order; `all` has every host. */
export type HostsByGroup = ReadonlyMap<string, readonly string[]>;

interface GroupNode {
  readonly hosts?: Readonly<Record<string, unknown>>;
  readonly children?: Readonly<Record<string, GroupNode>>;
}

/** Reads `inventory/hosts.yml`, and what stands beside it, as this project writes them. */
export function inventoryOf(...texts: readonly string[]): HostsByGroup {
  const found = new Map<string, GroupNode>();
  for (const text of texts) collect(readYaml(text) as Readonly<Record<string, GroupNode>>, found);
  return new Map([...found.keys()].map((name) => [name, hostsOf(name, found)]));
}

/** A group is written out once; where it is a child of another it may be named alone. */
function collect(groups: Readonly<Record<string, GroupNode>>, found: Map<string, GroupNode>): void {
  for (const [name, group] of Object.entries(groups)) {
    const known = found.get(name);
    found.set(name, {
      hosts: { ...known?.hosts, ...group.hosts },
      children: { ...known?.children, ...group.children },
    });
    collect(group.children ?? {}, found);
  }
}

function hostsOf(name: string, groups: ReadonlyMap<string, GroupNode>): readonly string[] {
  const { hosts = {}, children = {} } = groups.get(name) ?? {};
  const below = Object.keys(children).flatMap((child) => hostsOf(child, groups));
  return [...new Set([...Object.keys(hosts), ...below])];
}

/** The hosts that a pattern of `hosts:` or `--limit` means: names, groups, wildcards, `a,b`, `a:b`, `!x`, `&x`, `~regex`. */
export function matching(inventory: HostsByGroup, pattern: string): readonly string[] {
  const parts = splitPattern(pattern);
  const signed = (sign: string): readonly ReadonlySet<string>[] =>
    parts.filter((part) => part.startsWith(sign)).map((part) => new Set(one(inventory, part.slice(1))));
  const regular = parts.filter((part) => !/^[!&]/.test(part));
  const chosen = (regular.length > 0 ? regular : ['all']).flatMap((part) => one(inventory, part));
  const required = signed('&');
  const excluded = signed('!');
  return [...new Set(chosen)].filter(
    (host) => required.every((hosts) => hosts.has(host)) && !excluded.some((hosts) => hosts.has(host)),
  );
}

const splitPattern = (pattern: string): string[] =>
  // With commas, colons belong to names; without, they separate, except inside brackets.
  (pattern.includes(',') ? pattern.split(',') : pattern.split(/:(?![^[]*\])/))
    .map((part) => part.trim())
    .filter((part) => part !== '');

function one(inventory: HostsByGroup, part: string): readonly string[] {
  const {
    name = part,
    from,
    to,
  } = /^(?!~)(?<name>.+)\[(?<from>-?\d*)(?<to>:-?\d*)?\]$/.exec(part)?.groups ?? {};
  const hosts = hostsNamed(inventory, name);
  if (from === undefined) return hosts;
  if (to === undefined) return hosts.slice(Number(from), Number(from) === -1 ? undefined : Number(from) + 1);
  // Ansible counts the last one in.
  return hosts.slice(Number(from), to === ':' ? undefined : Number(to.slice(1)) + 1);
}

function hostsNamed(inventory: HostsByGroup, name: string): readonly string[] {
  const matches = matcher(name);
  const all = inventory.get('all') ?? [];
  // The machine that runs Ansible is there without an inventory.
  if (name === 'localhost' && !all.includes(name)) return [name];
  const groups = [...inventory].filter(([group]) => matches(group)).flatMap(([, hosts]) => hosts);
  return [...new Set([...groups, ...all.filter(matches)])];
}

function matcher(name: string): (text: string) => boolean {
  if (name === 'all') return () => true;
  const source = name.startsWith('~') ? `^(?:${name.slice(1)})` : `^${wildcard(name)}$`;
  const pattern = new RegExp(source);
  return (text) => pattern.test(text);
}

/** A bracket that opens no character class stands for itself. */
const wildcard = (name: string): string =>
  name
    .replaceAll(/[.+^${}()|\\]|\[(?![^\]]+\])/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
