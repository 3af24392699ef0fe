import { ownedVariables } from '../../catalog/kubespray/owned.ts';
import { plainOf } from '../../source/foreign/look.ts';
import { readPlain } from '../../source/scalar.ts';
import type { ForeignNode, MapEntry } from '../../source/foreign/node.ts';
import { withoutSecrets } from '../masked.ts';
import { part, type ImportPart, type Piece } from '../part.ts';
import type { Members } from './groups.ts';
import type { AnsibleInventory } from './inventory.ts';
import type { ReadInventory } from './read.ts';
import type { Statement } from './statements.ts';

/** What kubespray is passed as it is, for whom it was said: for all, for one of its groups, or for one machine. */
export function scopedPart(
  read: ReadInventory,
  members: Members,
  nameOf: (host: string) => string,
): ImportPart {
  const nodes = [...new Set([...members.controlPlane, ...members.worker, ...members.etcd])];
  const scopes = scopesOf(read, nodes);
  const forAll = new Map([
    ...scopes.all,
    ...(isEverybody(read, nodes) ? (scopes.groups.get('k8s_cluster') ?? []) : []),
  ]);
  const forGroups = [...scopes.groups].filter(
    ([group]) => group !== 'k8s_cluster' || !isEverybody(read, nodes),
  );
  const say = (path: Piece['path'], { key, value, keyPlace }: MapEntry): Piece => ({
    path: ['installer', 'kubespray', ...path, key],
    value: plainOf(value),
    place: keyPlace,
  });
  const pieces = [
    ...[...forAll.values()].filter(isPassable).map((entry) => say(['variables'], entry)),
    ...forGroups.flatMap(([group, entries]) =>
      [...entries.values()].filter(isPassable).map((entry) => say(['groupVariables', group], entry)),
    ),
    ...nodes.flatMap((host) =>
      [...(scopes.hosts.get(host) ?? [])]
        .filter(isPassable)
        .map((entry) => say(['hostVariables', nameOf(host)], entry)),
    ),
  ];
  return part({ pieces, taken: pieces.flatMap(({ place }) => place ?? []) });
}

type ScopeVariables = ReadonlyMap<string, MapEntry>;

interface Scopes {
  readonly all: ScopeVariables;
  readonly groups: ReadonlyMap<string, ScopeVariables>;
  readonly hosts: ReadonlyMap<string, readonly MapEntry[]>;
}

/** Variables of groups that kubespray knows stay there; those of any other group belong to the machines in it. */
function scopesOf(read: ReadInventory, nodes: readonly string[]): Scopes {
  const { inventory } = read;
  const statements = read.statements.filter((said) => !isOutdone(said, read));
  const all = new Map<string, MapEntry>();
  const groups = new Map<string, Map<string, MapEntry>>();
  const others = new Map<string, Set<string>>();
  for (const said of statements) {
    if (said.kind === 'group-variable' && said.group === 'all') all.set(said.entry.key, said.entry);
    if (said.kind === 'group-variable' && newSpelling(said.group, inventory) !== undefined) continue;
    const group = said.kind === 'group-variable' ? kubesprays[said.group.replaceAll('-', '_')] : undefined;
    if (said.kind === 'group-variable' && group !== undefined)
      groups.set(group, (groups.get(group) ?? new Map<string, MapEntry>()).set(said.entry.key, said.entry));
    else if (said.kind === 'host-variable') note(others, said.host, said.entry.key);
    else if (said.kind === 'group-variable' && said.group !== 'all')
      for (const host of inventory.membersOf(said.group)) note(others, host, said.entry.key);
  }
  const hosts = nodes.map((host) => {
    const effective = inventory.variablesOf(host);
    return [host, [...(others.get(host) ?? [])].flatMap((key) => effective.get(key) ?? [])] as const;
  });
  return { all, groups, hosts: new Map(hosts) };
}

/** What the inventory itself says of a group, and files of `group_vars` say otherwise of each member. */
function isOutdone(said: Statement, { inventory, statements }: ReadInventory): boolean {
  if (said.kind !== 'group-variable' || said.isBeside) return false;
  const members = inventory.membersOf(said.group);
  const beside = statements.flatMap((each) =>
    each.kind === 'group-variable' && each.isBeside && each.entry.key === said.entry.key ? [each.entry] : [],
  );
  return (
    beside.length > 0 &&
    members.length > 0 &&
    members.every((host) => beside.includes(inventory.variablesOf(host).get(said.entry.key) ?? said.entry))
  );
}

function note(keys: Map<string, Set<string>>, host: string, key: string): void {
  keys.set(host, (keys.get(host) ?? new Set()).add(key));
}

const kubesprays: Readonly<Record<string, string>> = {
  k8s_cluster: 'k8s_cluster',
  kube_control_plane: 'kube_control_plane',
  kube_master: 'kube_control_plane',
  kube_node: 'kube_node',
  etcd: 'etcd',
};

/** What a group is called now, where nobody is in it but in the one of the new name: Ansible reads nothing of the old one. */
export function newSpelling(group: string, { groups, membersOf }: AnsibleInventory): string | undefined {
  const isOld = (group.includes('-') || group === 'kube_master') && membersOf(group).length === 0;
  return isOld
    ? groups.find((other) => other === kubesprays[group.replaceAll('-', '_')] && membersOf(other).length > 0)
    : undefined;
}

/** Whether the cluster is all that kubespray is about, so that what holds for it holds for all. */
const isEverybody = ({ inventory }: ReadInventory, nodes: readonly string[]): boolean => {
  const cluster = new Set(['k8s_cluster', 'k8s-cluster'].flatMap(inventory.membersOf));
  return cluster.size === 0 || nodes.every((host) => cluster.has(host));
};

/** Plain data under a name that is not ours, without a secret, an empty value or an expression anywhere in it. */
function isPassable({ key, value }: MapEntry): boolean {
  const data = plainOf(value);
  return (
    !Object.hasOwn(ownedVariables, key) &&
    !ours.test(key) &&
    !old.has(key) &&
    /^[A-Za-z]\w*$/.test(key) &&
    isPlain(data) &&
    isExact(value) &&
    JSON.stringify(withoutSecrets({ [key]: data })) === JSON.stringify({ [key]: data })
  );
}

/** Ansible's own, and what playbooks of ours are told. */
const ours = /^(?:ansible_|preflight|proxy_environment|kept_folder$)/i;

/** What only old versions know. */
export const old: ReadonlySet<string> = new Set([
  ...['containerd_registries', 'containerd_insecure_registries', 'etcd_kubeadm_enabled', 'kube_master_count'],
]);

/** Numbers that JSON says as they are: `1.0` became 1, and of large ones the last digits were lost. */
function isExact(node: ForeignNode): boolean {
  if (node.kind === 'list') return node.items.every(isExact);
  if (node.kind === 'map') return node.entries.every(({ value }) => isExact(value));
  const { value, trap } = readPlain(node.isQuoted ? '' : node.text);
  return typeof value !== 'number' || (Number.isFinite(value) && trap === undefined);
}

function isPlain(data: unknown): boolean {
  if (data === null || data === undefined) return false;
  if (typeof data === 'string') return !/\{[{%#]|[\p{Cc}\p{Cf}]/u.test(data);
  if (Array.isArray(data)) return data.every(isPlain);
  if (typeof data !== 'object') return true;
  return Object.entries(data).every(([key, each]) => /^[A-Za-z][\w./-]*$/.test(key) && isPlain(each));
}
