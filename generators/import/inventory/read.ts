import type { Problems } from '../../source/problem.ts';
import { failed, ok, type Result } from '../../result.ts';
import { repeatedKeys } from '../../source/foreign/json.ts';
import { doubtAt, wrongAt, type ForeignNode, type MapEntry, type Text } from '../../source/foreign/node.ts';
import { readAnsibleJson, readAnsibleYaml } from './ansible-yaml.ts';
import { withShared } from './cluster-wide/listing.ts';
import { readIni } from './ini.ts';
import { inventoryOf, type AnsibleInventory } from './inventory.ts';
import { combine, type InventoryStatements, type Statement } from './statements.ts';
import {
  dynamicSource,
  isKnownHosts,
  isOfTerraform,
  ofNobody,
  outdoneFiles,
  passedOver,
  severalClusters,
  sourcesOf,
  startOf,
  unreadFiles,
  variablePath,
  variablesElsewhere,
} from './sources.ts';
import { isListed, sayList, sayTree, variablesOf } from './tree.ts';

/** What an inventory and the files beside it say. */
export interface ReadInventory {
  readonly inventory: AnsibleInventory;
  /** The lines of a `known_hosts`. */
  readonly knownHosts: readonly string[];
  /** The files that the hosts stand in. */
  readonly sources: readonly string[];
  readonly doubts: Problems;
  /** All that was said, also what something nearer overrides. */
  readonly statements: readonly Statement[];
}

/** Reads an inventory in INI, YAML or JSON, with `group_vars`, `host_vars` and `known_hosts` beside it. */
export function readInventory(all: readonly Text[]): Result<ReadInventory, Problems> {
  const texts = all.filter(({ file }) => !passedOver.test(file));
  const { sources, unread } = sourcesOf(texts);
  const [first] = texts;
  if (sources.length === 0)
    return failed(
      first
        ? [
            wrongAt(
              { file: first.file, line: 1, column: 1, length: 1 },
              'there is no inventory among these files',
              texts.some(isOfTerraform)
                ? 'what Ansible reads beside what Terraform is told: ansible-inventory --inventory hosts --list --export > inventory.json'
                : 'a file named hosts or inventory, with .yml, .ini or nothing behind it',
            ),
          ]
        : [],
    );
  const apart = severalClusters(sources);
  if (apart.length > 0) return failed(apart);
  const named = sayAll(sources);
  const spoken = combine([named, ...variablesIn(texts, namesIn(named)), unreadFiles(unread)]);
  const said = combine([spoken, { statements: [], problems: circles(spoken.statements) }]);
  const errors = said.problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return failed(errors);
  return ok({
    inventory: inventoryOf(said.statements),
    knownHosts: texts.filter(isKnownHosts).flatMap(({ text }) => text.split(/\r?\n/)),
    sources: sources.map(({ file }) => file),
    doubts: [...variablesElsewhere(texts, sources), ...said.problems],
    statements: said.statements,
  });
}

/** Ansible refuses a group that is below itself. */
function circles(statements: readonly Statement[]): Problems {
  const children = new Map<string, string[]>();
  const isBelow = (group: string, wanted: string, seen: Set<string>): boolean => {
    if (group === wanted) return true;
    if (seen.has(group)) return false;
    seen.add(group);
    return (children.get(group) ?? []).some((child) => isBelow(child, wanted, seen));
  };
  return statements.flatMap((said) => {
    if (said.kind !== 'child') return [];
    if (isBelow(said.child, said.group, new Set()))
      return [
        wrongAt(
          said.place,
          `${said.child} holds ${said.group} already, so Ansible refuses it as its child`,
          'remove one of the two',
        ),
      ];
    children.set(said.group, [...(children.get(said.group) ?? []), said.child]);
    return [];
  });
}

/** One after the other, as Ansible does: a group that an earlier file makes is one for the later ones. */
function sayAll(sources: readonly Text[]): InventoryStatements {
  const groups = new Set<string>();
  return combine(
    sources.map((source) => {
      const said = sayInventory(source, groups);
      for (const each of said.statements) if ('group' in each) groups.add(each.group);
      return said;
    }),
  );
}

function sayInventory(source: Text, groups: ReadonlySet<string>): InventoryStatements {
  const asks = dynamicSource(source, wrongAt);
  if (asks !== undefined) return { statements: [], problems: [asks] };
  if (/^\s*\{/.test(source.text)) return sayJson(source);
  if (!isYaml(source)) return readIni(source, groups);
  const read = readAnsibleYaml(source);
  return read.ok ? sayOnce(read.value, sayTree) : { statements: [], problems: read.failure };
}

/** Of keys that stand twice the last one counts, as for Ansible; what the others say is not dropped without a word. */
function sayOnce(node: ForeignNode, say: (node: ForeignNode) => InventoryStatements): InventoryStatements {
  const overridden: Statement[] = [];
  const said = say(
    lastOfEach(node, '', (below, entry) => overridden.push({ kind: 'overridden', below, entry })),
  );
  return {
    statements: [...said.statements, ...overridden],
    problems: [...repeatedKeys(node), ...said.problems],
  };
}

function lastOfEach(
  node: ForeignNode,
  path: string,
  note: (below: string, entry: MapEntry) => void,
): ForeignNode {
  if (node.kind === 'scalar') return node;
  if (node.kind === 'list')
    return { ...node, items: node.items.map((item) => lastOfEach(item, `${path}[]`, note)) };
  const last = new Map(node.entries.map((entry) => [entry.key, entry]));
  const inside = (key: string): string => (path === '' ? key : `${path}.${key}`);
  for (const entry of node.entries) if (last.get(entry.key) !== entry) note(path, entry);
  return {
    ...node,
    entries: [...last.values()].map((entry) => ({
      ...entry,
      value: lastOfEach(entry.value, inside(entry.key), note),
    })),
  };
}

function sayJson(source: Text): InventoryStatements {
  const read = readAnsibleJson(source);
  if (!read.ok) return { statements: [], problems: read.failure };
  const sayWhole = (node: ForeignNode): InventoryStatements => withShared(sayList(node), startOf(source));
  return sayOnce(read.value, isListed(read.value) ? sayWhole : sayTree);
}

/** A section or a line without a colon is INI; else a line that ends with a colon is YAML. */
function isYaml({ file, text }: Text): boolean {
  if (/\.ya?ml$/i.test(file)) return true;
  return (
    !/\.(?:ini|cfg)$/i.test(file) &&
    !/^\s*\[[\w.:-]+\]\s*$/m.test(text) &&
    /^---|^\s*[\w.-]+:\s*(?:#.*)?$/m.test(text)
  );
}

/** Of a folder and files of one name Ansible reads one; what the others say counts for nothing, and is listed. */
function variablesIn(
  texts: readonly Text[],
  names: Readonly<Record<'group' | 'host', ReadonlySet<string>>>,
): readonly InventoryStatements[] {
  const outdone = outdoneFiles(texts);
  return texts.map((text) => {
    const said = sayVariables(text);
    const path = variablePath(text);
    if (path && !names[path.of].has(path.name) && said.problems.some(({ severity }) => severity === 'error'))
      return { statements: [], problems: [ofNobody(text, path)] };
    const by = outdone.get(text);
    if (by === undefined) return said;
    const problem = doubtAt(
      startOf(text),
      `Ansible reads ${by} instead of this file`,
      'merge the two, or remove one',
    );
    return {
      problems: [problem],
      statements: said.statements.flatMap((each): Statement[] =>
        'entry' in each ? [{ kind: 'overridden', below: path?.name ?? '', entry: each.entry }] : [],
      ),
    };
  });
}

/** The groups and hosts that an inventory names. */
function namesIn({ statements }: InventoryStatements) {
  const groups = statements.flatMap((said) => [
    ...('group' in said ? [said.group] : []),
    ...(said.kind === 'child' ? [said.child] : []),
  ]);
  return {
    group: new Set(['all', 'ungrouped', ...groups]),
    host: new Set(statements.flatMap((said) => ('host' in said ? [said.host] : []))),
  };
}

function sayVariables(source: Text): InventoryStatements {
  const path = variablePath(source);
  if (!path) return { statements: [], problems: [] };
  const start = { file: source.file, line: 1, column: 1, length: 1 };
  if (source.text.startsWith('$ANSIBLE_VAULT'))
    return {
      statements: [],
      problems: [
        doubtAt(
          start,
          'this file is encrypted and not read',
          'references to it, like password: { vault: { file: …, key: …, password: … } }',
        ),
      ],
    };
  const read = readAnsibleYaml(source);
  if (!read.ok) return { statements: [], problems: read.failure };
  const said = sayOnce(read.value, (node) => ({ statements: statementsOf(node, path), problems: [] }));
  return {
    statements: said.statements,
    problems: [
      ...said.problems,
      ...(read.value.kind === 'map' ? [] : [wrongAt(start, 'variables are a mapping', 'name: value')]),
    ],
  };
}

const statementsOf = (node: ForeignNode, { of, name }: { of: 'group' | 'host'; name: string }): Statement[] =>
  variablesOf(node).map((entry) =>
    of === 'group'
      ? { kind: 'group-variable', group: name, entry, isBeside: true }
      : { kind: 'host-variable', host: name, entry },
  );
