import { expandRange, splitPort } from '../ranges.ts';
import { entry, field, isNull, itemsOf, plainOf } from '../../source/foreign/look.ts';
import {
  doubtAt,
  wrongAt,
  type ForeignNode,
  type ForeignScalar,
  type MapEntry,
  type TextPlace,
} from '../../source/foreign/node.ts';
import { portOf } from './ini.ts';
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

/** What `ansible-inventory --list` and programs for Ansible print, which may say a group as the list of its hosts. */
export function sayList(node: ForeignNode): InventoryStatements {
  const variables = field(field(node, '_meta'), 'hostvars');
  const hosts = variables?.kind === 'map' ? variables.entries : [];
  const groups = node.kind === 'map' ? node.entries.filter(({ key }) => key !== '_meta') : [];
  return combine([
    ...groups.map(sayListed),
    ...hosts.map(({ key: host, value }) => ({
      statements: variablesOf(value).map((each): Statement => ({ kind: 'host-variable', host, entry: each })),
      problems: [],
    })),
  ]);
}

/** Whether a group is said as programs say it: as a list, or with lists in it. */
export const isListed = (node: ForeignNode): boolean =>
  entry(node, '_meta') !== undefined ||
  (node.kind === 'map' &&
    node.entries.some(({ value }) =>
      [value, field(value, 'hosts'), field(value, 'children')].some((each) => each?.kind === 'list'),
    ));

function sayListed({ key: group, keyPlace, value }: MapEntry): InventoryStatements {
  const members = value.kind === 'list' ? value : field(value, 'hosts');
  const children = field(value, 'children');
  const isHost = value.kind === 'map' && !value.entries.some(({ key }) => sections.includes(key));
  return {
    statements: [
      ...namesOf(members).map((each): Statement => ({ kind: 'host', group, ...hostOf(each) })),
      ...namesOf(children).map(({ text, place }): Statement => ({
        ...{ kind: 'child', group, child: text, place },
      })),
      ...variablesOf(field(value, 'vars')).map((each): Statement => ({
        ...{ kind: 'group-variable', group, entry: each },
      })),
      ...(isHost && value.entries.length > 0 ? sayLoneHost(group, keyPlace, value) : []),
    ],
    problems: [members, children].flatMap((each) =>
      each === undefined || each.kind === 'list'
        ? []
        : [wrongAt(each.place, `Ansible refuses the group ${group}: this is no list`, '["node1"]')],
    ),
  };
}

/** What has none of these keys is a host with its variables, in a group of its name. */
const sections = ['hosts', 'children', 'vars'];

const sayLoneHost = (host: string, place: TextPlace, value: ForeignNode): readonly Statement[] => [
  { kind: 'host', group: host, host, place },
  ...variablesOf(value).map((each): Statement => ({ kind: 'host-variable', host, entry: each })),
];

const hostOf = ({ text, place }: ForeignScalar) => ({ host: text, place });

const namesOf = (node: ForeignNode | undefined): readonly ForeignScalar[] =>
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
  return combine(node.entries.map((each) => saySection(group, each)));
}

/** In the order of the file: what is said of a host later counts. */
function saySection(group: string, { key, keyPlace, value }: MapEntry): InventoryStatements {
  if (!sections.includes(key))
    return {
      statements: [],
      problems: [doubtAt(keyPlace, `Ansible passes over \`${key}\` in a group`, 'hosts, children or vars')],
    };
  const entries = entriesOf(value);
  if (entries === undefined)
    return {
      statements: [],
      problems: [
        wrongAt(keyPlace, `Ansible refuses the group ${group}: \`${key}\` is no mapping`, right[key] ?? ''),
      ],
    };
  if (key === 'hosts') return combine(entries.map((each) => sayMember(group, each)));
  if (key === 'children') return combine(entries.map((each) => sayChild(group, each)));
  return {
    statements: entries.map((each): Statement => ({ kind: 'group-variable', group, entry: each })),
    problems: [],
  };
}

const right: Readonly<Record<string, string>> = {
  hosts: 'hosts: { node1: {} }',
  children: 'children: { kube_node: {} }',
  vars: 'vars: { ansible_user: ubuntu }',
};

/** As Ansible takes them: a text alone is a key without a value. */
function entriesOf(value: ForeignNode): readonly MapEntry[] | undefined {
  if (isNull(value)) return [];
  if (value.kind === 'map') return value.entries;
  if (value.kind === 'list' || !isTextual(value)) return undefined;
  const nothing: ForeignNode = { ...value, text: '', isQuoted: false, tag: '' };
  return [{ key: value.text, keyPlace: value.place, value: nothing }];
}

const isTextual = (node: ForeignScalar): boolean => typeof plainOf(node) === 'string';

/** As in INI, a port may stand behind the name. */
function sayMember(group: string, { key, keyPlace, value }: MapEntry): InventoryStatements {
  const { pattern, port } = splitPort(key);
  const hosts = expandRange(pattern);
  if (!hosts.ok)
    return { statements: [], problems: [wrongAt(keyPlace, hosts.failure.wrong, hosts.failure.right)] };
  return {
    problems: [],
    statements: hosts.value.flatMap((host): Statement[] => [
      { kind: 'host', group, host, place: keyPlace },
      ...[...portOf(port, keyPlace), ...variablesOf(value)].map((each): Statement => ({
        kind: 'host-variable',
        host,
        entry: each,
      })),
    ]),
  };
}

const sayChild = (group: string, { key: child, keyPlace, value }: MapEntry): InventoryStatements =>
  combine([
    { statements: [{ kind: 'child', group, child, place: keyPlace }], problems: [] },
    sayGroup(child, value),
  ]);

export const variablesOf = (node: ForeignNode | undefined): readonly MapEntry[] =>
  node?.kind === 'map' ? node.entries : [];
