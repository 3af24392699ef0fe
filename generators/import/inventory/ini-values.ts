import type { ForeignNode, TextPlace } from '../../source/foreign/node.ts';
import { readYamlNode } from '../../source/foreign/yaml.ts';

/** Behind a literal of Python a comment is one; behind a text it is part of it. */
export function withoutComment(value: string): string {
  const [, before = ''] = /^((?:[^#"']|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*?)\s*#/.exec(value) ?? [];
  return isLiteral(before) || /^(["']).*\1$/.test(before) ? before : value;
}

export const scalarOf = (text: string, place: TextPlace, isQuoted = false): ForeignNode => ({
  kind: 'scalar',
  text,
  isQuoted,
  tag: '',
  place,
});

/** Behind a host quotes only hold a word together: what is inside is read as a literal of Python all the same. */
export const isLiteral = (text: string): boolean =>
  /^[[{](?!\{)/.test(text) || /^(?:[-+]?(?:0|[1-9]\d*)(?:\.\d*)?|True|False|None)$/.test(text);

/** Python's lists and mappings are YAML's, but for the words; it has `1_000`, and no number that begins with a zero. */
export function valueOf(text: string, place: TextPlace): ForeignNode {
  if (text === 'None') return scalarOf('null', place);
  if (/^[-+]?[1-9](?:_?\d)*$/.test(text)) return scalarOf(text.replaceAll('_', ''), place);
  if (!/^[[{](?!\{)/.test(text)) return scalarOf(text, place, /^[-+]?0\d/.test(text));
  const read = readYamlNode({ file: place.file, text });
  return read.ok ? placeNode(read.value, place) : scalarOf(text, place);
}

function placeNode(node: ForeignNode, place: TextPlace): ForeignNode {
  if (node.kind === 'scalar') return { ...node, place };
  if (node.kind === 'list')
    return { ...node, place, items: node.items.map((item) => placeNode(item, place)) };
  return {
    ...node,
    place,
    entries: node.entries.map(({ key, value }) => ({ key, keyPlace: place, value: placeNode(value, place) })),
  };
}
