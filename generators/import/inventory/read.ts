import type { Problems } from '../../source/problem.ts';
import { failed, ok, type Result } from '../../result.ts';
import { readJson, repeatedKeys } from '../../source/foreign/json.ts';
import { field } from '../../source/foreign/look.ts';
import { doubtAt, wrongAt, type ForeignNode, type MapEntry, type Text } from '../../source/foreign/node.ts';
import { readAnsibleYaml } from './ansible-yaml.ts';
import { readIni } from './ini.ts';
import { inventoryOf, type AnsibleInventory } from './inventory.ts';
import { combine, type InventoryStatements, type Statement } from './statements.ts';
import { sayList, sayTree, variablesOf } from './tree.ts';

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
  const sources = sourcesOf(texts);
  const [first] = texts;
  if (sources.length === 0)
    return failed(
      first
        ? [
            wrongAt(
              { file: first.file, line: 1, column: 1, length: 1 },
              'there is no inventory among these files',
              'a file named hosts or inventory, with .yml, .ini or nothing behind it',
            ),
          ]
        : [],
    );
  const spoken = combine([...sources.map(sayInventory), ...texts.map(sayVariables)]);
  const said = combine([spoken, { statements: [], problems: circles(spoken.statements) }]);
  const errors = said.problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return failed(errors);
  return ok({
    inventory: inventoryOf(said.statements),
    knownHosts: texts.filter(isKnownHosts).flatMap(({ text }) => text.split(/\r?\n/)),
    sources: sources.map(({ file }) => file),
    doubts: said.problems,
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
          'one of the two',
        ),
      ];
    children.set(said.group, [...(children.get(said.group) ?? []), said.child]);
    return [];
  });
}

/** One file alone is the inventory, whatever its name; among several the name decides. */
function sourcesOf(texts: readonly Text[]): readonly Text[] {
  const others = texts.filter((text) => variablePath(text) === undefined && !isKnownHosts(text));
  return others.length === 1
    ? others
    : others.filter(({ file }) =>
        /(?:^|\/)(?:hosts|inventory)[\w-]*(?:\.(?:ya?ml|ini|json|cfg|txt))?$/i.test(file),
      );
}

/** In folders of variables Ansible reads YAML and JSON, and files without an ending. */
const passedOver = /(?:^|\/)(?:group|host)_vars\/[^/]+\/(?:[^/]+\/)*[^/]+\.(?!(?:ya?ml|json)$)[^./]+$/;

const isKnownHosts = ({ file }: Text): boolean => /(?:^|\/)known_hosts$/.test(file);

function sayInventory(source: Text): InventoryStatements {
  if (/^\s*\{/.test(source.text)) return sayJson(source);
  if (!isYaml(source)) return readIni(source);
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
  const read = readJson(source);
  if (!read.ok) return { statements: [], problems: read.failure };
  return sayOnce(read.value, field(read.value, '_meta') ? sayList : sayTree);
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

/** `group_vars/all.yml`, `group_vars/all/all.yml` and the like. */
function variablePath({ file }: Text): { readonly of: 'group' | 'host'; readonly name: string } | undefined {
  const [, of, name = ''] =
    /(?:^|\/)(group|host)_vars\/([^/]+?)(?:\.(?:ya?ml|json))?(?:\/[^/]+)*$/.exec(file) ?? [];
  return of === 'group' || of === 'host' ? { of, name } : undefined;
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
          'this file is encrypted, so it is not read',
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
