import { parseAddress, knownHostName } from '../../source/networks.ts';
import { publicKey } from '../../definition/schema/machines/host-key.ts';
import { absolutePath, jumpHost } from '../../definition/schema/judges.ts';
import type { Problems } from '../../source/problem.ts';
import type { FoundSecret, FoundSsh } from '../machines.ts';
import { doubtAt, wrongAt, type MapEntry, type ForeignNode } from '../../source/foreign/node.ts';
import { textOf } from '../../source/foreign/look.ts';

export type VariablesOfHost = ReadonlyMap<string, MapEntry>;

/** How a host is reached, and what about it could not be taken over. */
export interface HostAccess {
  readonly ssh: FoundSsh;
  readonly doubts: Problems;
}

/** What Ansible's variables about connections say. */
export function reachedBy(host: string, variables: VariablesOfHost, bastion: string | undefined): HostAccess {
  const value = (...names: readonly string[]): ForeignNode | undefined =>
    names.map((name) => variables.get(name)?.value).find((node) => node !== undefined);
  const key = keyOf(value('ansible_ssh_private_key_file', 'ansible_private_key_file'));
  const jump = jumpOf(value('ansible_ssh_common_args', 'ansible_ssh_extra_args')) ?? bastion;
  const wantedPort = value('ansible_port', 'ansible_ssh_port');
  const port = Number(plainText(wantedPort) ?? 22);
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
  return {
    ssh: {
      host: plainText(value('ansible_host', 'ansible_ssh_host')),
      port: isPort ? port : 22,
      user: plainText(value('ansible_user', 'ansible_ssh_user', 'ansible_remote_user')),
      userPlace: value('ansible_user', 'ansible_ssh_user', 'ansible_remote_user')?.place,
      privateKey: key.path,
      proxyJump: jump,
      password: secretOf(value('ansible_password', 'ansible_ssh_pass', 'ansible_ssh_password'), host),
      becomePassword: secretOf(
        value('ansible_become_password', 'ansible_become_pass', 'ansible_sudo_pass', 'ansible_sudo_password'),
        host,
      ),
    },
    doubts: [
      ...key.doubts,
      ...unreadable(wantedPort, 'the value itself, like 22'),
      ...(wantedPort && !isPort ? [wrongAt(wantedPort.place, 'not a port', '22')] : []),
      ...unreadable(value('ansible_host', 'ansible_ssh_host'), 'the address or the name itself'),
      ...connection(value('ansible_connection')),
    ],
  };
}

/** What only Ansible could work out is not as if it were absent. */
export const unreadable = (node: ForeignNode | undefined, right: string): Problems =>
  node && textOf(node) !== undefined && plainText(node) === undefined
    ? [wrongAt(node.place, 'this cannot be evaluated here', right)]
    : [];

/** A text that Ansible would not evaluate. */
export const plainText = (node: ForeignNode | undefined): string | undefined => {
  const text = textOf(node);
  return text === undefined || /\{[{%#]/.test(text) ? undefined : text;
};

function keyOf(node: ForeignNode | undefined): {
  readonly path: string | undefined;
  readonly doubts: Problems;
} {
  const text = textOf(node);
  if (!node || text === undefined) return { path: undefined, doubts: [] };
  if (absolutePath(text) === undefined) return { path: text, doubts: [] };
  return {
    path: undefined,
    doubts: [
      doubtAt(
        node.place,
        `the key ${JSON.stringify(text)} is left out: it is no absolute path`,
        '~/.ssh/id_ed25519, a path on the Ansible server',
      ),
    ],
  };
}

const connection = (node: ForeignNode | undefined): Problems =>
  node && !['ssh', 'smart', 'paramiko', 'paramiko_ssh', undefined].includes(textOf(node))
    ? [
        doubtAt(
          node.place,
          `this host is not reached over SSH but by ${textOf(node) ?? ''}`,
          'a host with an sshd',
        ),
      ]
    : [];

/** A password, or the variable of a vault that holds it; both are asked for by name from now on. */
function secretOf(node: ForeignNode | undefined, host: string): FoundSecret | undefined {
  const text = textOf(node);
  if (node?.kind !== 'scalar' || text === undefined) return undefined;
  const [, variable = ''] = /^\{\{\s*(\w+)\s*(?:\|[^}]*)?\}\}$/.exec(text.trim()) ?? [];
  return {
    identity: text,
    variable: variable.replace(/^vault_/, '').toUpperCase(),
    owner: host.toUpperCase(),
  };
}

/** Whether such arguments say nothing but the jump host, and how it is reached: host keys are verified all the same. */
export function isOnlyJump(node: ForeignNode | undefined): boolean {
  const words = (textOf(node) ?? '')
    .replaceAll(/\{%-?\s*if\b[^]*?\bendif\s*-?%\}/g, ' ')
    .split(/\\?["']|\s+/)
    .filter((word) => word !== '');
  const jump = jumpOf(node);
  const known =
    /^(?:-o|-q|-J|-W|-l|-p|ssh|%h:%p|\[%h\]:%p|\d+|(?:-o)?(?:ProxyCommand=?|(?:ProxyJump=|StrictHostKeyChecking=|UserKnownHostsFile=|ProxyCommand=)\S+))$/;
  return (
    jump !== undefined && words.every((word) => known.test(word) || jump.includes(word.replace(/^-J/, '')))
  );
}

/** The jump host of `-J`, of `ProxyJump=`, or of a `ProxyCommand` with `-W`. */
export function jumpOf(node: ForeignNode | undefined): string | undefined {
  // kubespray's own no_floating.yml names a key at the end, if there is one.
  const text = textOf(node)
    ?.replaceAll(/\{%-?\s*if\b[^]*?\bendif\s*-?%\}/g, ' ')
    .replaceAll(/\\?["']/g, ' ');
  if (text === undefined) return undefined;
  const direct = /(?:ProxyJump[= ]|-J\s*)(\S+)/.exec(text)?.[1];
  if (direct !== undefined) return sound(direct);
  const command = /ProxyCommand\s*=?\s*(ssh\s.*-W\s.*)$/.exec(text)?.[1]?.trim();
  if (command === undefined) return undefined;
  const last = command.split(/\s+/).findLast((word) => !/^%|^\[%/.test(word)) ?? '';
  const user = /\s-l\s+(\S+)/.exec(command)?.[1];
  const port = /\s-p\s+(\d+)/.exec(command)?.[1];
  const host = parseAddress(last)?.family === 6 ? `[${last}]` : last;
  const login = host.includes('@') || user === undefined ? host : `${user}@${host}`;
  return sound(port === undefined || port === '22' ? login : `${login}:${port}`);
}

const sound = (jump: string): string | undefined => (jumpHost(jump) === undefined ? jump : undefined);

/** The keys by which `known_hosts` knows a host; hashed names tell nothing. */
export function pinnedKeys(lines: readonly string[]): (host: string, port: number) => readonly string[] {
  const found = new Map<string, string[]>();
  for (const line of lines) {
    const [names = '', type = '', key = ''] = line.trim().split(/\s+/);
    if (names.startsWith('#') || names.startsWith('@') || publicKey(`${type} ${key}`) !== undefined) continue;
    for (const name of names.split(',')) found.set(name, [...(found.get(name) ?? []), `${type} ${key}`]);
  }
  return (host, port) => found.get(knownHostName(host, port)) ?? [];
}
