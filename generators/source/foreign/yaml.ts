import { isAlias, isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import type { Problems } from '../problem.ts';
import { parse, type Mapping as YamlMapping } from '../tree.ts';
import { failed, ok, type Result } from '../../result.ts';
import { placesOf, wrongAt, type ForeignNode, type TextPlace, type Text } from './node.ts';

/** Reads YAML as the definition's reader does, tags included; a file without content is an empty mapping. */
export function readYamlNode(source: Text): Result<ForeignNode, Problems> {
  const placeOf = placesOf(source);
  if (/^(?:\ufeff|\s|#[^\n]*|---(?=\s|$)|\.\.\.(?=\s|$))*$/.test(source.text))
    return ok({ kind: 'map', entries: [], place: placeOf(0) });
  const tree = parse(source.text, source.file);
  if (!tree.ok) return failed(tree.failure);
  const problems: Problems[number][] = [];
  const node = nodeOf(tree.value.root, {
    placeOf,
    refuse: (place) => {
      problems.push(wrongAt(place, 'an alias is not followed here', 'the value itself'));
    },
  });
  return problems.length > 0 ? failed(problems) : ok(node);
}

interface YamlContext {
  readonly placeOf: (from: number, to?: number) => TextPlace;
  readonly refuse: (place: TextPlace) => void;
}

function nodeOf(node: ParsedNode | null, around: YamlContext): ForeignNode {
  const place = node ? around.placeOf(node.range[0], node.range[1]) : around.placeOf(0);
  if (node === null) return { kind: 'scalar', text: '', isQuoted: false, tag: '', place };
  if (isAlias(node)) around.refuse(place);
  if (isSeq(node)) return { kind: 'list', items: node.items.map((item) => nodeOf(item, around)), place };
  if (isMap(node)) return mappingOf(node, place, around);
  const text = isScalar(node) ? textOf(node.value) : '';
  const isQuoted = isScalar(node) && node.type !== 'PLAIN';
  return { kind: 'scalar', text, isQuoted, tag: node.tag ?? '', place };
}

const mappingOf = (node: YamlMapping, place: TextPlace, around: YamlContext): ForeignNode => ({
  kind: 'map',
  place,
  entries: node.items.map(({ key, value }) => ({
    key: isScalar(key) ? textOf(key.value) : '',
    keyPlace: around.placeOf(key.range[0], key.range[1]),
    value:
      value === null
        ? { ...nodeOf(null, around), place: around.placeOf(key.range[0], key.range[1]) }
        : nodeOf(value, around),
  })),
});

/** The tree is read so that every scalar is a text. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
