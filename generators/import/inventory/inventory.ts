import { textOf } from '../../source/foreign/look.ts';
import type { MapEntry, TextPlace } from '../../source/foreign/node.ts';
import type { Statement } from './statements.ts';

/** An inventory as Ansible understands it. */
export interface AnsibleInventory {
  /** In the order in which they are named first. */
  readonly hosts: readonly InventoryHost[];
  /** Members of a group and of its children, in order; none where there is no such group. */
  readonly membersOf: (group: string) => readonly string[];
  readonly groups: readonly string[];
  readonly variablesOf: (host: string) => ReadonlyMap<string, MapEntry>;
  /** Variables of groups that hold all of these hosts; the nearer one wins. */
  readonly variablesOfAll: (hosts: readonly string[]) => ReadonlyMap<string, MapEntry>;
}

export interface InventoryHost {
  readonly name: string;
  readonly place: TextPlace;
}

type VariableMap = Map<string, MapEntry>;

/**
 * Puts together what was said; what was said later counts more, hosts more than groups, children more than parents, and
 * files of `group_vars`, be it of `all`, more than the inventory says of any group.
 */
export function inventoryOf(statements: readonly Statement[]): AnsibleInventory {
  const tables = tablesOf(statements);
  const memberships = membershipsOf(tables);
  const byDepth = [tables.variables, tables.beside].flatMap((all) => inOrder(all, tables));
  return {
    hosts: [...tables.hosts].map(([name, place]) => ({ name, place })),
    groups: [
      ...new Set([
        ...tables.members.keys(),
        ...tables.children.keys(),
        ...tables.variables.keys(),
        ...tables.beside.keys(),
      ]),
    ],
    membersOf: (group) => [...(memberships.get(group) ?? [])],
    variablesOf: (host) => {
      const found: VariableMap = new Map();
      for (const [group, variables] of byDepth)
        if (group === 'all' || memberships.get(group)?.has(host) === true)
          for (const [key, entry] of variables) found.set(key, entry);
      for (const [key, entry] of tables.own.get(host) ?? []) found.set(key, entry);
      return found;
    },
    variablesOfAll: (hosts) =>
      new Map(
        byDepth.flatMap(([group, variables]) =>
          hosts.every((host) => group === 'all' || memberships.get(group)?.has(host) === true)
            ? [...variables]
            : [],
        ),
      ),
  };
}

/** Groups by their depth, their priority and their name: the later one counts. */
const inOrder = (all: ReadonlyMap<string, VariableMap>, tables: Tables): [string, VariableMap][] =>
  [...all].sort(
    ([a], [b]) =>
      depthOf(a, tables) - depthOf(b, tables) ||
      priorityOf(a, tables) - priorityOf(b, tables) ||
      (a < b ? -1 : 1),
  );

/** What an inventory, but no file of `group_vars`, says of which group counts more among those of one depth. */
export const isPriority = (said: Statement): boolean =>
  said.kind === 'group-variable' && !said.isBeside && said.entry.key === 'ansible_group_priority';

const priorityOf = (group: string, { priorities }: Tables): number => {
  const said = Number(textOf(priorities.get(group)?.value) ?? 1);
  return Number.isNaN(said) ? 1 : said;
};

interface Tables {
  readonly priorities: VariableMap;
  readonly hosts: Map<string, TextPlace>;
  readonly members: Map<string, Set<string>>;
  readonly children: Map<string, Set<string>>;
  readonly parents: Map<string, Set<string>>;
  readonly variables: Map<string, VariableMap>;
  /** Variables of groups in files of `group_vars`. */
  readonly beside: Map<string, VariableMap>;
  readonly own: Map<string, VariableMap>;
}

function tablesOf(statements: readonly Statement[]): Tables {
  const tables: Tables = {
    priorities: new Map(),
    hosts: new Map(),
    members: new Map(),
    children: new Map(),
    parents: new Map(),
    variables: new Map(),
    beside: new Map(),
    own: new Map(),
  };
  for (const said of statements) note(said, tables);
  return tables;
}

function note(said: Statement, tables: Tables): void {
  switch (said.kind) {
    case 'host':
      if (!tables.hosts.has(said.host)) tables.hosts.set(said.host, said.place);
      at(tables.members, said.group, () => new Set<string>()).add(said.host);
      return;
    case 'child':
      at(tables.children, said.group, () => new Set<string>()).add(said.child);
      at(tables.parents, said.child, () => new Set<string>()).add(said.group);
      return;
    case 'group-variable':
      if (isPriority(said)) {
        tables.priorities.set(said.group, said.entry);
        return;
      }
      at(said.isBeside ? tables.beside : tables.variables, said.group, () => new Map<string, MapEntry>()).set(
        said.entry.key,
        said.entry,
      );
      return;
    case 'host-variable':
      at(tables.own, said.host, () => new Map<string, MapEntry>()).set(said.entry.key, said.entry);
      return;
    case 'overridden':
  }
}

function at<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

function membershipsOf({ members, children, hosts }: Tables): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = [...new Set([...members.keys(), ...children.keys()])];
  return new Map([
    ...groups.map((group) => {
      const all = levelsBelow(group, children).flatMap((each) => [...(members.get(each) ?? [])]);
      return [group, new Set(all)] as const;
    }),
    ['all', new Set(hosts.keys())] as const,
  ]);
}

/** A group and all below it, level by level, which is how Ansible orders the hosts of a group. */
function levelsBelow(group: string, children: Tables['children']): readonly string[] {
  const found = new Set([group]);
  for (const each of found) for (const child of children.get(each) ?? []) found.add(child);
  return [...found];
}

/** How far a group is from `all`; a circle counts once. */
function depthOf(group: string, { parents }: Pick<Tables, 'parents'>, seen: readonly string[] = []): number {
  if (group === 'all' || seen.includes(group)) return 0;
  const above = [...(parents.get(group) ?? [])].map((parent) =>
    depthOf(parent, { parents }, [...seen, group]),
  );
  return 1 + Math.max(0, ...above);
}
