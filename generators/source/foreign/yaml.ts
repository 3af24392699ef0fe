import { isAlias, isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import type { Problems } from '../problem.ts';
import { parse, type Mapping as YamlMapping } from '../tree.ts';
import { failed, ok, type Result } from '../../result.ts';
import { placesOf, wrongAt, type ForeignNode, type MapEntry, type TextPlace, type Text } from './node.ts';

/** Reads YAML as the definition's reader does, tags included; a file without content is an empty mapping. */
export function readYamlNode(source: Text): Result<ForeignNode, Problems> {
  const placeOf = placesOf(source);
  if (/^(?:\ufeff|\s|#[^\n]*|---(?=\s|$)|\.\.\.(?=\s|$))*$/.test(source.text))
    return ok({ kind: 'map', entries: [], place: placeOf(0) });
  const tree = parse(source.text, source.file);
  if (!tree.ok) return failed(tree.failure);
  const around: YamlContext = { placeOf, anchors: new Map(), above: [], problems: [], left: { nodes: most } };
  const node = nodeOf(tree.value.root, around);
  return around.problems.length > 0 ? failed(around.problems.slice(0, 1)) : ok(node);
}

interface YamlContext {
  readonly placeOf: (from: number, to?: number) => TextPlace;
  /** What an alias stands for: the last node above it with its anchor. */
  readonly anchors: Map<string, ParsedNode>;
  /** Aliases that are being followed. */
  readonly above: readonly string[];
  readonly problems: Problems[number][];
  /** How many nodes may still come: a few aliases of aliases stand for millions. */
  readonly left: { nodes: number };
}

function nodeOf(node: ParsedNode | null, around: YamlContext): ForeignNode {
  const place = node ? around.placeOf(node.range[0], node.range[1]) : around.placeOf(0);
  const nothing: ForeignNode = { kind: 'scalar', text: '', isQuoted: false, tag: '', place };
  if (node === null) return nothing;
  around.left.nodes -= 1;
  if (around.left.nodes < 0) return refuse('these aliases stand for too much', place, around);
  if (isAlias(node)) return copyAlias(node.source, place, around);
  if (node.anchor !== undefined) around.anchors.set(node.anchor, node);
  if (isSeq(node)) return { kind: 'list', items: node.items.map((item) => nodeOf(item, around)), place };
  if (isMap(node)) return mappingOf(node, place, around);
  const text = isScalar(node) ? textOf(node.value) : '';
  const isQuoted = isScalar(node) && node.type !== 'PLAIN';
  return { ...nothing, text, isQuoted, tag: node.tag ?? '' };
}

function refuse(wrong: string, place: TextPlace, { problems }: YamlContext): ForeignNode {
  problems.push(wrongAt(place, wrong, 'the value itself'));
  return { kind: 'scalar', text: '', isQuoted: false, tag: '', place };
}

/** A copy of what the anchor is at, with the places where that stands. */
function copyAlias(name: string, place: TextPlace, around: YamlContext): ForeignNode {
  const anchored = around.anchors.get(name);
  if (anchored === undefined || around.above.includes(name))
    return refuse(`nothing above has the anchor &${name}`, place, around);
  return nodeOf(anchored, { ...around, above: [...around.above, name] });
}

function mappingOf(node: YamlMapping, place: TextPlace, around: YamlContext): ForeignNode {
  const entries = node.items.map(({ key, value }) => ({
    key: isScalar(key) ? textOf(key.value) : '',
    keyPlace: around.placeOf(key.range[0], key.range[1]),
    isMerge: isScalar(key) && key.type === 'PLAIN' && key.value === '<<',
    value:
      value === null
        ? { ...nodeOf(null, around), place: around.placeOf(key.range[0], key.range[1]) }
        : nodeOf(value, around),
  }));
  const own = entries.filter(({ isMerge }) => !isMerge);
  const merged = entries.filter(({ isMerge }) => isMerge).flatMap(({ value }) => mergedOf(value, around));
  const first = new Map([...merged].reverse().map((each) => [each.key, each]));
  const lent = [...first.values()].filter(({ key }) => !own.some((each) => each.key === key));
  return {
    kind: 'map',
    place,
    entries: [...lent, ...own.map(({ key, keyPlace, value }) => ({ key, keyPlace, value }))],
  };
}

/** What `<<` brings: a mapping, or several of which the first counts. */
function mergedOf(value: ForeignNode, around: YamlContext): readonly MapEntry[] {
  if (value.kind === 'map') return value.entries;
  if (value.kind === 'list') return value.items.flatMap((item) => mergedOf(item, around));
  refuse('`<<` takes in a mapping', value.place, around);
  return [];
}

const most = 1_000_000;

/** The tree is read so that every scalar is a text. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
