import { expandRange, splitPort } from '../ranges.ts';
import {
  placesOf,
  wrongAt,
  type MapEntry,
  type ForeignNode,
  type TextPlace,
  type Text,
} from '../../source/foreign/node.ts';
import { nearest } from '../../source/nearest.ts';
import { scalarOf, valueOf, withoutComment } from './ini-values.ts';
import { combine, type InventoryStatements, type Statement } from './statements.ts';

/** Reads an inventory in Ansible's INI form; other files before it made some groups already. */
export function readIni(source: Text, made: ReadonlySet<string>): InventoryStatements {
  const placeOf = placesOf(source);
  const said: InventoryStatements[] = [];
  const names: GroupName[] = [];
  const waiting = new Map<string, Statement[]>();
  let section: IniSection = { group: 'ungrouped', kind: 'hosts' };
  for (const { 0: line, index } of source.text.matchAll(/[^\r\n]+/g)) {
    const text = line.replace(/^\ufeff/, '').trim();
    if (text === '' || text.startsWith('#') || text.startsWith(';')) continue;
    const at: IniLine = { text, from: index + line.indexOf(text), placeOf };
    const next = isHead(text) ? sectionOf(text) : section;
    if (!next) said.push(noSection(at));
    else if (isHead(text)) {
      section = next;
      names.push({
        group: next.group,
        isMade: next.kind !== 'vars',
        place: at.placeOf(at.from, at.from + text.length),
      });
      said.push({ statements: comeInto(next, waiting), problems: [] });
    } else {
      const line = sayLine(at, section);
      for (const each of line.statements)
        if (each.kind === 'child') names.push({ group: each.child, isMade: false, place: each.place });
      said.push(postponeChildren(line, isMadeIn(names, made), waiting));
    }
  }
  return combine([...said, { statements: [], problems: undefinedGroups(names, made) }]);
}

/** A child without a section of its own yet becomes one where that begins, so that it comes behind those that had one. */
function postponeChildren(
  { statements, problems }: InventoryStatements,
  isMade: (group: string) => boolean,
  waiting: Map<string, Statement[]>,
): InventoryStatements {
  const late = statements.filter((said) => said.kind === 'child' && !isMade(said.child));
  for (const said of late)
    if (said.kind === 'child') waiting.set(said.child, [...(waiting.get(said.child) ?? []), said]);
  return { statements: statements.filter((said) => !late.includes(said)), problems };
}

function comeInto({ group, kind }: IniSection, waiting: Map<string, Statement[]>): readonly Statement[] {
  const found = kind === 'vars' ? [] : (waiting.get(group) ?? []);
  if (kind !== 'vars') waiting.delete(group);
  return found;
}

/** A group that is named: by a section that makes it, or by one of variables, or as a child. */
interface GroupName {
  readonly group: string;
  readonly isMade: boolean;
  readonly place: TextPlace;
}

const isMadeIn = (names: readonly GroupName[], before: ReadonlySet<string>) => {
  return (wanted: string): boolean =>
    ['all', 'ungrouped'].includes(wanted) ||
    before.has(wanted) ||
    names.some(({ group, isMade }) => isMade && group === wanted);
};

/** Ansible reads no file that names a group without a section: neither as a child nor with variables. */
function undefinedGroups(
  names: readonly GroupName[],
  before: ReadonlySet<string>,
): InventoryStatements['problems'] {
  const made = names.filter(({ isMade }) => isMade).map(({ group }) => group);
  const isMade = isMadeIn(names, before);
  return names
    .filter(({ group }) => !isMade(group))
    .map(({ group, place }) =>
      wrongAt(
        place,
        `there is no section [${group}], so Ansible reads nothing of this file`,
        nearest(group, made) ?? `[${group}], be it empty`,
      ),
    );
}

/** A range at the start of a host's name is no section. */
const isHead = (text: string): boolean => text.startsWith('[') && !/^\[[^\]]*:[^\]]*\]\S/.test(text);

const noSection = ({ text, from, placeOf }: IniLine): InventoryStatements => ({
  statements: [],
  problems: [
    wrongAt(
      placeOf(from, from + text.length),
      'not a section header',
      '[group], [group:children] or [group:vars]',
    ),
  ],
});

interface IniSection {
  readonly group: string;
  readonly kind: 'hosts' | 'children' | 'vars';
}

interface IniLine {
  readonly text: string;
  readonly from: number;
  readonly placeOf: (from: number, to?: number) => TextPlace;
}

function sectionOf(text: string): IniSection | undefined {
  const [, group = '', kind = 'hosts'] =
    /^\[([^\]:\s]+)(?::(children|vars))?\]\s*(?:[#;].*)?$/.exec(text) ?? [];
  return group === '' ? undefined : { group, kind: kind as IniSection['kind'] };
}

function sayLine(line: IniLine, section: IniSection): InventoryStatements {
  if (section.kind === 'vars') return sayVariable(line, section.group);
  const [first, ...rest] = wordsOf(line);
  if (!first) return { statements: [], problems: [] };
  if (section.kind === 'children')
    return {
      statements: [{ kind: 'child', group: section.group, child: first.text, place: first.place }],
      problems: [],
    };
  return sayHosts(first, rest, section.group);
}

interface IniWord {
  readonly text: string;
  readonly place: TextPlace;
}

/** As a shell splits them: quotes hold words together, `#` begins a comment. */
function wordsOf({ text, from, placeOf }: IniLine): IniWord[] {
  const words: IniWord[] = [];
  for (const { 0: raw, index } of text.matchAll(/#.*|(?:[^\s"'#\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|["'])+/g)) {
    if (raw.startsWith('#')) break;
    words.push({
      text: unquote(raw),
      place: placeOf(from + index, from + index + raw.length),
    });
  }
  return words;
}

/** What is left of a word of a shell without its quotes. */
export const unquote = (raw: string): string =>
  raw.replaceAll(
    /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g,
    (_, double?: string, single?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? '') : double.replaceAll(/\\(["\\$`])/g, '$1'),
  );

function sayHosts(first: IniWord, rest: readonly IniWord[], group: string): InventoryStatements {
  const { pattern, port } = splitPort(first.text);
  if (/[\s="']/.test(first.text))
    return {
      statements: [],
      problems: [wrongAt(first.place, 'not a host name; a quote may be missing', 'node1')],
    };
  const hosts = expandRange(pattern);
  if (!hosts.ok)
    return { statements: [], problems: [wrongAt(first.place, hosts.failure.wrong, hosts.failure.right)] };
  const strange = rest.filter(({ text }) => !/^[^=]+=/.test(text));
  const entries = [...portOf(port, first.place), ...rest.flatMap(assignment)];
  return {
    statements: hosts.value.flatMap((host): Statement[] => [
      { kind: 'host', group, host, place: first.place },
      ...entries.map((entry): Statement => ({ kind: 'host-variable', host, entry })),
    ]),
    problems: strange.map(({ place }) =>
      wrongAt(place, 'only `name=value` can stand behind a host', 'ansible_host=192.0.2.11'),
    ),
  };
}

/** The port that stands behind the name of a host, as its variable. */
export const portOf = (port: string | undefined, place: TextPlace): readonly MapEntry[] =>
  port === undefined ? [] : [entryOf('ansible_port', scalarOf(port, place), place)];

/** Behind a host quotes only hold a word together. */
function assignment({ text, place }: IniWord): MapEntry[] {
  const equals = text.indexOf('=');
  return equals < 1 ? [] : [entryOf(text.slice(0, equals), valueOf(text.slice(equals + 1), place), place)];
}

/** All of the rest of the line, as Ansible reads a line of `[group:vars]`. */
function sayVariable({ text, from, placeOf }: IniLine, group: string): InventoryStatements {
  const [, key = '', all = ''] = /^([^=]+?)\s*=\s*(.*)$/.exec(text) ?? [];
  const value = withoutComment(all);
  const place = placeOf(from, from + text.length);
  if (key === '')
    return {
      statements: [],
      problems: [wrongAt(place, 'a line of `:vars` is `name=value`', 'ansible_user=ubuntu')],
    };
  const quoted = /^(["'])(.*)\1$/.exec(value);
  const node = quoted ? scalarOf(quoted[2] ?? '', place, true) : valueOf(value, place);
  return { statements: [{ kind: 'group-variable', group, entry: entryOf(key, node, place) }], problems: [] };
}

const entryOf = (key: string, value: ForeignNode, keyPlace: TextPlace): MapEntry => ({
  key,
  keyPlace,
  value,
});
