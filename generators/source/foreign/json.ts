import type { Problems } from '../problem.ts';
import { failed, ok, type Result } from '../../result.ts';
import {
  doubtAt,
  placesOf,
  wrongAt,
  type MapEntry,
  type ForeignNode,
  type TextPlace,
  type Text,
} from './node.ts';

/** Reads JSON; comments and any line ends are passed over, everything else that is not JSON is a problem with its place. */
export function readJson(source: Text): Result<ForeignNode, Problems> {
  const reader = readerOf(source);
  const node = value(reader, 0);
  if (node && reader.problem === undefined) {
    skip(reader);
    if (reader.at < source.text.length) say(reader, 'there is more text after the JSON value', 'one value');
  }
  return node && reader.problem === undefined
    ? ok(node)
    : failed([wrongAt(...(reader.problem ?? nothing(reader)))]);
}

/** Keys that stand twice: the last one counts, which is seldom what was meant. */
export const repeatedKeys = (node: ForeignNode): Problems => {
  if (node.kind === 'scalar') return [];
  if (node.kind === 'list') return node.items.flatMap(repeatedKeys);
  const seen = new Set<string>();
  return node.entries.flatMap(({ key, keyPlace, value: inner }) => {
    const twice = seen.has(key);
    seen.add(key);
    return [
      ...(twice
        ? [doubtAt(keyPlace, `\`${key}\` is listed twice; the last one counts`, 'remove one of the two')]
        : []),
      ...repeatedKeys(inner),
    ];
  });
};

interface Reader {
  readonly text: string;
  readonly placeOf: (from: number, to?: number) => TextPlace;
  at: number;
  problem: readonly [TextPlace, string, string] | undefined;
}

const readerOf = (source: Text): Reader => ({
  text: source.text,
  placeOf: placesOf(source),
  at: 0,
  problem: undefined,
});

function value(reader: Reader, depth: number): ForeignNode | null {
  skip(reader);
  if (depth > deepest) return say(reader, 'this is nested too deeply', 'fewer brackets');
  const from = reader.at;
  const first = reader.text[from];
  if (first === '{') return map(reader, depth);
  if (first === '[') return list(reader, depth);
  if (first === '"') {
    const text = string(reader);
    return text === null ? null : scalar(reader, from, { text, isQuoted: true });
  }
  const word = take(reader, plain);
  return word === undefined ? unreadable(reader) : scalar(reader, from, { text: word, isQuoted: false });
}

const scalar = (
  { placeOf, at }: Reader,
  from: number,
  read: { readonly text: string; readonly isQuoted: boolean },
): ForeignNode => ({ kind: 'scalar', ...read, tag: '', place: placeOf(from, at) });

function map(reader: Reader, depth: number): ForeignNode | null {
  const from = reader.at;
  const entries: MapEntry[] = [];
  const isRead = row(reader, '}', () => {
    const read = pair(reader, depth);
    if (read) entries.push(read);
    return read !== null;
  });
  return isRead ? { kind: 'map', entries, place: reader.placeOf(from, reader.at) } : null;
}

function pair(reader: Reader, depth: number): MapEntry | null {
  const from = reader.at;
  if (reader.text[from] !== '"') return say(reader, 'a key in double quotes belongs here', '"key": value');
  const key = string(reader);
  if (key === null) return null;
  const keyPlace = reader.placeOf(from, reader.at);
  skip(reader);
  if (reader.text[reader.at] !== ':') return say(reader, 'a `:` is missing between key and value', ':');
  reader.at += 1;
  const read = value(reader, depth + 1);
  return read && { key, keyPlace, value: read };
}

function list(reader: Reader, depth: number): ForeignNode | null {
  const from = reader.at;
  const items: ForeignNode[] = [];
  const isRead = row(reader, ']', () => {
    const item = value(reader, depth + 1);
    if (item) items.push(item);
    return item !== null;
  });
  return isRead ? { kind: 'list', items, place: reader.placeOf(from, reader.at) } : null;
}

/** What stands between brackets, with commas between. */
function row(reader: Reader, close: '}' | ']', one: () => boolean): boolean {
  reader.at += 1;
  skip(reader);
  if (ends(reader, close)) return true;
  while (one()) {
    skip(reader);
    if (ends(reader, close)) return true;
    if (!passesComma(reader, close)) return false;
  }
  return false;
}

function passesComma(reader: Reader, close: '}' | ']'): boolean {
  const comma = reader.at;
  if (reader.text[comma] !== ',') {
    say(reader, missing(reader, close), `, or ${close}`);
    return false;
  }
  reader.at += 1;
  skip(reader);
  if (reader.text[reader.at] !== close) return true;
  reader.at = comma;
  say(reader, `a comma before \`${close}\` is not JSON`, 'remove the comma');
  return false;
}

const missing = ({ at, text }: Reader, close: string): string =>
  at >= text.length
    ? `the file ends before its \`${close}\``
    : `a comma or \`${close}\` is missing before this`;

function ends(reader: Reader, close: string): boolean {
  if (reader.text[reader.at] !== close) return false;
  reader.at += 1;
  return true;
}

function string(reader: Reader): string | null {
  const from = reader.at;
  const text = unescape(take(reader, quotedString));
  if (text !== undefined) return text;
  reader.at = from;
  return say(
    reader,
    'this text has no closing quote in its line, or an escape that JSON does not know',
    '"text"',
  );
}

function unescape(found: string | undefined): string | undefined {
  try {
    return found === undefined ? undefined : (JSON.parse(found) as string);
  } catch {
    return undefined;
  }
}

function unreadable(reader: Reader): null {
  const rest = reader.text.slice(reader.at, reader.at + 5);
  const python = /^(True|False|None)/.exec(rest)?.[1];
  if (python !== undefined)
    return say(
      reader,
      `\`${python}\` is Python, not JSON`,
      python === 'None' ? 'null' : python.toLowerCase(),
    );
  return rest.startsWith("'")
    ? say(reader, 'JSON has double quotes only', '"text"')
    : say(
        reader,
        reader.at >= reader.text.length ? 'the file ends where a value belongs' : 'this is not JSON',
        rest.startsWith('+--') ? 'what the same command prints with --format json' : 'a value',
      );
}

/** The first problem is the one that the others follow from. */
function say(reader: Reader, wrong: string, right: string): null {
  const at = Math.min(reader.at, Math.max(0, reader.text.length - 1));
  reader.problem ??= [reader.placeOf(at), wrong, right];
  return null;
}

const nothing = ({ placeOf }: Reader): [TextPlace, string, string] => [
  placeOf(0),
  'this is not JSON',
  'a value',
];

function skip(reader: Reader): void {
  while (take(reader, skippable) !== undefined);
}

function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}

const skippable = /[\s\ufeff]+|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//y;
/** Without a choice inside the loop, which would have an end for texts of megabytes; what is inside, JSON.parse judges. */
const quotedString = /"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*"/y;
const plain = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)(?![\w.])/y;
const deepest = 200;
