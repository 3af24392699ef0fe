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

const isLiteral = (text: string): boolean =>
  /^[[{](?!\{)/.test(text) || /^(?:[-+]?(?:0|[1-9]\d*)(?:\.\d*)?|True|False|None)$/.test(text);

/** What Python reads as a literal is one: a number, a truth value, a list, a mapping. All else is a text, `true` and `yes` too. */
export function valueOf(text: string, place: TextPlace): ForeignNode {
  if (text === 'None') return scalarOf('null', place);
  if (/^[-+]?0[xob][\da-f]+$/i.test(text) && Number.isSafeInteger(Number(text.replace(/^[-+]/, ''))))
    return scalarOf(String(Number(text.replace(/^[-+]/, '')) * (text.startsWith('-') ? -1 : 1)), place);
  if (isNumber.test(text)) return scalarOf(text.replaceAll('_', ''), place);
  if (!/^[[{](?!\{)/.test(text)) return scalarOf(text, place, !/^(?:True|False)$/.test(text));
  const read = readYamlNode({ file: place.file, text });
  return read.ok ? placeNode(read.value, place) : scalarOf(text, place, true);
}

/** Python has `1_000`, and no whole number that begins with a zero. */
const isNumber =
  /^[-+]?(?:(?:0|[1-9](?:_?\d)*)|(?:\d(?:_?\d)*\.(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:e[-+]?\d+)?|\d(?:_?\d)*e[-+]?\d+)$/i;

function placeNode(node: ForeignNode, place: TextPlace): ForeignNode {
  if (node.kind === 'scalar')
    return node.text === 'None' && !node.isQuoted ? scalarOf('null', place) : { ...node, place };
  if (node.kind === 'list')
    return { ...node, place, items: node.items.map((item) => placeNode(item, place)) };
  return {
    ...node,
    place,
    entries: node.entries.map(({ key, value }) => ({ key, keyPlace: place, value: placeNode(value, place) })),
  };
}
