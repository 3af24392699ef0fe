import { expandRange } from '../ranges.ts';
import { entry, field, isNull, itemsOf } from '../../source/foreign/look.ts';
import { doubtAt, wrongAt, type MapEntry, type ForeignNode } from '../../source/foreign/node.ts';
import { combine, type InventoryStatements, type Statement } from './statements.ts';

/** What an inventory in YAML says: groups as keys, with `hosts`, `children` and `vars`. */
export const sayTree = (node: ForeignNode): InventoryStatements =>
  node.kind === 'map'
    ? combine(node.entries.map(({ key, value }) => sayGroup(key, value)))
    : {
        statements: [],
        problems: [
          wrongAt(node.place, 'an inventory is a mapping of groups', 'all: { hosts: { node1: {} } }'),
        ],
      };

/** What `ansible-inventory --list` prints. */
export function sayList(node: ForeignNode): InventoryStatements {
  const variables = field(field(node, '_meta'), 'hostvars');
  const hosts = variables?.kind === 'map' ? variables.entries : [];
  const groups = node.kind === 'map' ? node.entries.filter(({ key }) => key !== '_meta') : [];
  return {
    problems: [],
    statements: [
      ...groups.flatMap(({ key: group, value }): Statement[] => [
        ...namesOf(field(value, 'hosts')).map(({ text: host, place }): Statement => ({
          kind: 'host',
          group,
          host,
          place,
        })),
        ...namesOf(field(value, 'children')).map(({ text: child, place }): Statement => ({
          kind: 'child',
          group,
          child,
          place,
        })),
      ]),
      ...hosts.flatMap(({ key: host, value }) =>
        variablesOf(value).map((each): Statement => ({ kind: 'host-variable', host, entry: each })),
      ),
    ],
  };
}

const namesOf = (node: ForeignNode | undefined) =>
  itemsOf(node).flatMap((item) => (item.kind === 'scalar' ? [item] : []));

function sayGroup(group: string, node: ForeignNode): InventoryStatements {
  if (isNull(node)) return { statements: [], problems: [] };
  if (node.kind !== 'map')
    return {
      statements: [],
      problems: [
        wrongAt(
          node.place,
          `Ansible cannot read the group ${group}`,
          'a mapping with hosts, children or vars',
        ),
      ],
    };
  const strange = node.entries.filter(({ key }) => !['hosts', 'children', 'vars'].includes(key));
  return combine([
    sayMembers(group, entry(node, 'hosts')),
    sayChildren(group, entry(node, 'children')),
    {
      statements: variablesOf(field(node, 'vars')).map((each): Statement => ({
        kind: 'group-variable',
        group,
        entry: each,
      })),
      problems: strange.map(({ key, keyPlace }) =>
        doubtAt(keyPlace, `Ansible passes over \`${key}\` in a group`, 'hosts, children or vars'),
      ),
    },
  ]);
}

function sayMembers(group: string, found: MapEntry | undefined): InventoryStatements {
  if (!found || isNull(found.value)) return { statements: [], problems: [] };
  if (found.value.kind !== 'map')
    return {
      statements: [],
      problems: [
        wrongAt(
          found.keyPlace,
          `Ansible reads no host of ${group}: \`hosts\` is no mapping`,
          'hosts: { node1: {} }',
        ),
      ],
    };
  return combine(found.value.entries.map((each) => sayMember(group, each)));
}

function sayMember(group: string, { key, keyPlace, value }: MapEntry): InventoryStatements {
  const hosts = expandRange(key);
  if (!hosts.ok)
    return { statements: [], problems: [wrongAt(keyPlace, hosts.failure.wrong, hosts.failure.right)] };
  return {
    problems: [],
    statements: hosts.value.flatMap((host): Statement[] => [
      { kind: 'host', group, host, place: keyPlace },
      ...variablesOf(value).map((each): Statement => ({ kind: 'host-variable', host, entry: each })),
    ]),
  };
}

function sayChildren(group: string, found: MapEntry | undefined): InventoryStatements {
  if (found?.value.kind !== 'map') return { statements: [], problems: [] };
  return combine(
    found.value.entries.flatMap(({ key: child, keyPlace, value }): InventoryStatements[] => [
      { statements: [{ kind: 'child', group, child, place: keyPlace }], problems: [] },
      sayGroup(child, value),
    ]),
  );
}

export const variablesOf = (node: ForeignNode | undefined): readonly MapEntry[] =>
  node?.kind === 'map' ? node.entries : [];
