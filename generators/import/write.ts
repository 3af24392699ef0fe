import { pathText, type Path } from '../source/finding.ts';
import { flowText } from '../source/flow-text.ts';
import { schema } from '../definition/schema/schema.ts';
import { writeYaml } from '../yaml.ts';
import type { ComposedDefinition } from './compose.ts';
import type { UntouchedPart } from './part.ts';

/** The text of an imported definition, and the comments that tell what nothing said. */
export interface DefinitionText {
  readonly composed: ComposedDefinition;
  /** Path or URL of the JSON Schema, for the editor's first line. */
  readonly schema: string;
  /** Paragraphs of comments at the top. */
  readonly head: readonly (readonly string[])[];
  readonly kept: readonly UntouchedPart[];
}

export function write({ composed, schema: editor, head, kept }: DefinitionText): string {
  const { data } = composed;
  const deep = new Set([...composed.notes.keys()].flatMap(ancestors));
  const keys = [...Object.keys(schema.shape), ...Object.keys(data)].filter(
    (key, index, all) => all.indexOf(key) === index && data[key] !== undefined,
  );
  return [
    `# yaml-language-server: $schema=${editor}`,
    ...head
      .filter((lines) => lines.length > 0)
      .flatMap((lines, index) => [...(index > 0 ? ['#'] : []), ...lines.map(comment)]),
    'apiVersion: playsmith/v1',
    'kind: Cluster',
    ...keys.flatMap((key) => [
      ...(inHead.includes(key) ? [] : ['']),
      ...pair(key, data[key], { path: [key], indent: '', notes: composed.notes, deep }),
    ]),
    ...kept.flatMap(aside),
    '',
  ].join('\n');
}

const inHead = ['metadata', 'review'];

interface WriteContext {
  readonly path: Path;
  readonly indent: string;
  readonly notes: ComposedDefinition['notes'];
  /** Paths with something to say below them. */
  readonly deep: ReadonlySet<string>;
}

/** `nodes`, `nodes[2]` of `nodes[2].address` */
const ancestors = (path: string): string[] =>
  [...path.matchAll(/[.[]/g)].map(({ index }) => path.slice(0, index));

/** A key and its value: in one line where that is short and nothing is to be said inside. */
function pair(key: string, value: unknown, around: WriteContext): string[] {
  const { indent } = around;
  const inOneLine = `${indent}${key}: ${flowText(value)}`;
  const above = notesAt(around);
  if (!isCollection(value) || isShort(inOneLine, value, around)) return [...above, inOneLine];
  return [...above, `${indent}${key}:`, ...inside(value, { ...around, indent: `${indent}  ` })];
}

const inside = (value: object, around: WriteContext): string[] =>
  Array.isArray(value)
    ? value.flatMap((item, index) => listItem(item, { ...around, path: [...around.path, index] }))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .flatMap(([key, each]) => pair(key, each, { ...around, path: [...around.path, key] }));

function listItem(item: unknown, around: WriteContext): string[] {
  const inOneLine = `${around.indent}- ${flowText(item)}`;
  const above = notesAt(around);
  if (!isCollection(item) || isShort(inOneLine, item, around)) return [...above, inOneLine];
  const [first = '', ...rest] = inside(item, { ...around, indent: `${around.indent}  ` });
  return [...above, `${around.indent}- ${first.trimStart()}`, ...rest];
}

const isShort = (line: string, value: object, { path, deep }: WriteContext): boolean =>
  line.length <= width && !(Array.isArray(value) && value.some(isCollection)) && !deep.has(pathText(path));

const isCollection = (value: unknown): value is object => typeof value === 'object' && value !== null;

const notesAt = ({ path, indent, notes }: WriteContext): string[] =>
  (notes.get(pathText(path)) ?? []).map((line) => indent + comment(line));

/** What is kept, as comments that cannot become anything else. */
const aside = ({ title, data }: UntouchedPart): string[] => [
  '',
  comment(title),
  ...writeYaml(data).trimEnd().split('\n').map(comment),
];

/** One line, whatever somebody else's text holds. */
const comment = (text: string): string =>
  `# ${text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ')}`.trimEnd();

const width = 118;
