import { isScalar, isSeq, type Pair, type ParsedNode, type YAMLSeq } from 'yaml';
import { parse, type Mapping, type Source } from './tree.ts';

/** A key and the text of its value, which needs one line. */
export interface NewPair {
  readonly key: string;
  readonly value: string | readonly string[];
}

/** The text with a pair put into a mapping, or its value replaced; nothing else moves. */
export function writePair(source: Source, map: Mapping, pair: NewPair): string {
  const old = map.items.find(({ key }) => isScalar(key) && key.value === pair.key);
  const text = splice(
    source.text,
    old ? replacement(source.text, old, pair) : insertion(source.text, map, pair),
  );
  if (!parse(text, '').ok)
    throw new RangeError(`\`${pair.key}\` cannot be written into a mapping of this form`);
  return text;
}

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

type MapPair = Pair<ParsedNode, ParsedNode | null>;

const splice = (text: string, { from, to, text: put }: Splice): string =>
  text.slice(0, from) + put + text.slice(to);

function replacement(text: string, { key, value }: MapPair, pair: NewPair): Splice {
  if (!value || value.range[0] === value.range[1]) {
    const colon = text.indexOf(':', key.range[1]) + 1;
    return { from: colon, to: colon, text: ` ${inOneLine(pair.value)}` };
  }
  const [from, to] = value.range;
  if (isSeq(value) && value.flow !== true)
    return { from, to: endOf(value), text: blockList(text, value, pair) };
  const old = text.slice(from, to);
  const comments = isSeq(value) ? commentsIn(old) : [];
  if (comments.length > 0) return { from, to, text: flowList(comments, pair, newLineAt(text, from + 2)) };
  const header = isScalar(value) ? (/^[|>][^#\r\n]*?([ \t]+#[^\r\n]*)/.exec(old)?.[1] ?? '') : '';
  return { from, to, text: inOneLine(pair.value) + header + (old.endsWith('\n') ? eolOf(text) : '') };
}

type BlockList = YAMLSeq<ParsedNode> & { range: [number, number, number] };

const endOf = (list: BlockList): number => list.items.at(-1)?.range[1] ?? list.range[1];

/** Comments inside the old list stay, above the new one. */
function blockList(text: string, list: BlockList, { value }: NewPair): string {
  const comments = commentsIn(text.slice(list.range[0], endOf(list)));
  return [...comments, ...[value].flat().map((each) => `- ${each}`)].join(newLineAt(text, list.range[0]));
}

const flowList = (comments: readonly string[], { value }: NewPair, newLine: string): string =>
  `[ ${[...comments, `${[value].flat().join(', ')} ]`].join(newLine)}`;

/** Keys hold no `#`, so what follows one is a comment. */
const commentsIn = (text: string): string[] =>
  [...text.matchAll(/(?:^|\s)(#.*?)\r?$/gm)].map(([, comment = '']) => comment);

/** A line end and the spaces up to the column of an offset. */
const newLineAt = (text: string, offset: number): string => eolOf(text) + ' '.repeat(columnOf(text, offset));

function insertion(text: string, map: Mapping, { key, value }: NewPair): Splice {
  const pair = `${key}: ${inOneLine(value)}`;
  const last = map.items.at(-1);
  if (map.flow === true) {
    const at = last ? pairEnd(last) : map.range[0] + 1;
    return { from: at, to: at, text: last ? `, ${pair}` : ` ${pair} ` };
  }
  const first = map.items[0]?.key.range[0] ?? map.range[0];
  const indent = ' '.repeat(columnOf(text, first));
  const above = map.items.findLast((each) => !text.slice(each.key.range[0], pairEnd(each)).includes('\n'));
  return above
    ? lineAfter(text, pairEnd(above), indent + pair)
    : { from: first, to: first, text: pair + eolOf(text) + indent };
}

function lineAfter(text: string, offset: number, line: string): Splice {
  const end = text.indexOf('\n', offset);
  return end === -1
    ? { from: text.length, to: text.length, text: eolOf(text) + line + eolOf(text) }
    : { from: end + 1, to: end + 1, text: line + eolOf(text) };
}

const pairEnd = ({ key, value }: MapPair): number => value?.range[1] ?? key.range[1];

export const inOneLine = (value: NewPair['value']): string =>
  typeof value === 'string' ? value : value.length === 1 ? (value[0] ?? '') : `[${value.join(', ')}]`;

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1);

const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
