import { isCollection, isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
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
  const named = node.items.filter(({ key }) => isScalar(key) && key.value === step);
  const pair = takeLast ? named.at(-1) : named[0];
  return pair && { key: pair.key, value: pair.value };
}

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
