import { knownHostName } from '../../source/networks.ts';
import { publicKey } from '../../definition/schema/machines/host-key.ts';
import { absolutePath } from '../../definition/schema/judges.ts';
import type { Problems } from '../../source/problem.ts';
import { jumpIn, namesRoute } from '../jump-host.ts';
import type { FoundSecret, FoundSsh } from '../machines.ts';
import { doubtAt, wrongAt, type MapEntry, type ForeignNode } from '../../source/foreign/node.ts';
import { isVaulted, textOf } from '../../source/foreign/look.ts';

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
  const args = argumentNames.flatMap((name) => value(name) ?? []);
  const route = args.map((node) => jumpIn(textOf(node) ?? '')).find((found) => found !== undefined);
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
      proxyJump: route === undefined ? bastion : route.host,
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
      ...(route === undefined ? args.filter((node) => namesRoute(textOf(node) ?? '')).map(unknownRoute) : []),
    ],
  };
}

/** What only Ansible could work out is not as if it were absent. */
export const unreadable = (node: ForeignNode | undefined, right: string): Problems =>
  node && textOf(node) !== undefined && plainText(node) === undefined
    ? [wrongAt(node.place, 'this cannot be evaluated here', right)]
    : [];

/** A text that Ansible would neither evaluate nor decrypt. */
export const plainText = (node: ForeignNode | undefined): string | undefined => {
  const text = textOf(node);
  return text === undefined || isVaulted(node) || /\{[{%#]/.test(text) ? undefined : text;
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

/** Where arguments of ssh may stand, in the order in which Ansible joins them: the first jump host counts. */
export const argumentNames = [
  'ansible_ssh_args',
  'ansible_ssh_common_args',
  'ansible_ssh_extra_args',
] as const;

const unknownRoute = ({ place }: ForeignNode): Problems[number] =>
  doubtAt(
    place,
    'these arguments of ssh lead to the host in a way that is no single jump host, so none is taken over',
    '`proxyJump` of the machines, like ubuntu@bastion.example.org:22',
  );

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
