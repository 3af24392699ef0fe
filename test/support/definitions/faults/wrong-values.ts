import { isMap, isScalar, isSeq, parseDocument, type ParsedNode } from 'yaml';

/** A definition in which one value was replaced by a wrong one, one key misspelt, or one left out. */
export interface Wrong {
  readonly title: string;
  readonly text: string;
  /** Where everything belongs that is said of it; undefined: where it says so itself. */
  readonly place: readonly [start: number, end: number] | undefined;
}

/** Each value of a definition replaced by those of other types, each key misspelt, and each left out; one at a time. */
export function wrongValues(text: string): readonly Wrong[] {
  const root = parseDocument(text).contents;
  return root === null ? [] : below(root, '', text);
}

function below(node: ParsedNode, path: string, text: string): readonly Wrong[] {
  if (isSeq(node))
    return node.items.flatMap((item, index) => {
      const at = `${path}[${index}]`;
      return [...replaced({ text, path: at, value: item }), ...below(item, at, text)];
    });
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }) => {
    if (!isScalar(key) || value === null) return [];
    const at = `${path}.${String(key.value)}`;
    const place = { text, path: at, value, key };
    return [...replaced(place), ...misspelt(place), ...leftOut(place), ...below(value, at, text)];
  });
}

interface Placed {
  readonly text: string;
  readonly path: string;
  readonly value: ParsedNode;
  readonly key?: ParsedNode;
}

const replaced = ({ text, path, value, key }: Placed): readonly Wrong[] =>
  othersOf(value, text).map((other) => {
    const [from, to] = value.range;
    const put = `${other}${text.slice(from, to).endsWith('\n') ? '\n' : ''}`;
    return {
      title: `${path} = ${other}`,
      text: text.slice(0, from) + put + text.slice(to),
      place: [key?.range[0] ?? from, from + put.length],
    };
  });

/** Values of every other type, and the same value where a dash too many or one too few makes another type of it. */
function othersOf(value: ParsedNode, text: string): readonly string[] {
  const own = (node: ParsedNode): string => flow(text.slice(node.range[0], node.range[1]));
  const common = ['true', '7', '"%"', '[x]', '{ x: y }', '~'];
  if (isSeq(value) && value.items[0]) return [...common, own(value.items[0])];
  return isScalar(value) ? [...common, `[${own(value)}]`] : common;
}

/** Of what has several lines the first, which is no flow collection and so stands for itself. */
const flow = (text: string): string => (text.includes('\n') ? '{ a: b }' : text);

const misspelt = ({ text, path, value, key }: Placed): readonly Wrong[] =>
  key === undefined
    ? []
    : [
        {
          title: `${path} misspelt`,
          text: `${text.slice(0, key.range[1])}x${text.slice(key.range[1])}`,
          place: [key.range[0], value.range[1] + 1],
        },
      ];

/** With its line, where it has one of its own. */
function leftOut({ text, path, value, key }: Placed): readonly Wrong[] {
  const from = key?.range[0] ?? 0;
  const start = text.lastIndexOf('\n', from - 1) + 1;
  if (!/^ *$/.test(text.slice(start, from))) return [];
  const end = text.indexOf('\n', Math.max(from, value.range[1] - 1)) + 1;
  const title = `${path} left out`;
  return [{ title, text: text.slice(0, start) + text.slice(end), place: undefined }];
}
