import { isCollection, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from 'yaml';
import type { Problem } from './problem.ts';
import { pathText, type Finding, type Path } from './finding.ts';
import type { Source } from './tree.ts';

/** Gives a finding its line and column. What is missing is shown at what should hold it. */
export function locate(source: Source, { path, at, wrong, right, severity }: Finding): Problem {
  const [start, end] = rangeOf(source.root, path, at);
  const { line, col } = source.lines.linePos(start);
  const lineEnd = source.text.slice(start, end).search(/[\r\n]/);
  return {
    severity,
    file: source.file,
    line,
    column: col,
    length: Math.max(1, lineEnd === -1 ? end - start : lineEnd),
    path: pathText(path),
    message: wrong,
    remedy: right,
  };
}

/** The nodes of a step: the key, if there is one, and the value. */
interface NodePair {
  readonly key: ParsedNode | null;
  readonly value: ParsedNode | null;
}

export function rangeOf(root: ParsedNode, path: Path, at: 'key' | 'value'): readonly [number, number] {
  let place: NodePair = { key: null, value: root };
  for (const [index, step] of path.entries()) {
    const last = index === path.length - 1;
    const next = stepInto(place.value, step, last && at === 'key');
    if (!next) return firstOf(place);
    place = next;
  }
  return at === 'key' && place.key ? span(place.key) : shownOf(place);
}

/** A repeated key is the last of its name. */
function stepInto(node: ParsedNode | null, step: string | number, takeLast: boolean): NodePair | undefined {
  if (isSeq(node) && typeof step === 'number') {
    const value = node.items[step];
    return value === undefined ? undefined : { key: null, value: value };
  }
  if (!isMap(node)) return undefined;
  const named = pairsOf(node).get(step);
  return takeLast ? named?.last : named?.first;
}

interface NamedPairs {
  readonly first: NodePair;
  readonly last: NodePair;
}

/** By name, made once for each mapping: a mapping of many keys may have as many findings. */
function pairsOf(node: YAMLMap<ParsedNode, ParsedNode | null>): ReadonlyMap<unknown, NamedPairs> {
  const known = pairsByMapping.get(node);
  if (known) return known;
  const found = new Map<unknown, NamedPairs>();
  for (const { key, value } of node.items) {
    const pair = { key, value };
    if (isScalar(key)) found.set(key.value, { first: found.get(key.value)?.first ?? pair, last: pair });
  }
  pairsByMapping.set(node, found);
  return found;
}

const pairsByMapping = new WeakMap<object, ReadonlyMap<unknown, NamedPairs>>();

const shownOf = ({ key, value }: NodePair): readonly [number, number] =>
  value === null || isEmpty(value) || (isCollection(value) && value.flow !== true)
    ? firstOf({ key, value })
    : span(value);

/** The key, or the first key inside. */
const firstOf = ({ key, value }: NodePair): readonly [number, number] => {
  if (key) return span(key);
  const first = isMap(value) ? value.items[0]?.key : undefined;
  return first ? span(first) : value ? span(value) : [0, 1];
};

const isEmpty = (node: ParsedNode): boolean => node.range[0] === node.range[1];

const span = ({ range }: ParsedNode): readonly [number, number] => [range[0], range[1]];
