import { isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import { parse } from './tree.ts';

/** The same text with `*` over everything that stands where a secret belongs, as long and with the same lines. */
export function maskSecrets(text: string): string {
  const source = parse(text, '');
  if (!source.ok) return text.replaceAll(secretLine, (_, key: string, value: string) => key + stars(value));
  const spans: (readonly [number, number])[] = [];
  collect(source.value.root, (node) => spans.push([node.range[0], node.range[1]]));
  return cover(text, spans);
}

type Hide = (node: ParsedNode) => void;

function collect(node: ParsedNode | null, hide: Hide): void {
  if (isSeq(node)) for (const item of node.items) collect(item, hide);
  if (!isMap(node)) return;
  for (const { key, value } of node.items as { key: ParsedNode; value: ParsedNode | null }[]) {
    if (value === null) continue;
    if (isScalar(key) && secretKey.test(String(key.value))) collectSource(value, hide);
    else if (holdsCredentials(value)) hide(value);
    else collect(value, hide);
  }
}

/** Below a key like `password` only the ways to say where a secret is kept are shown. */
function collectSource(node: ParsedNode, hide: Hide): void {
  if (!isMap(node)) {
    hide(node);
    return;
  }
  for (const { key, value } of node.items as { key: ParsedNode; value: ParsedNode | null }[]) {
    const name = isScalar(key) ? String(key.value) : '';
    if (value === null || isShown(name, value)) continue;
    if (name === 'vault' || name === 'password') collectSource(value, hide);
    else hide(value);
  }
}

const isShown = (name: string, value: ParsedNode): boolean =>
  name === 'env'
    ? isScalar(value) && /^[A-Za-z_]\w*$/.test(String(value.value))
    : name === 'command'
      ? isSeq(value)
      : ['file', 'key'].includes(name) && isScalar(value);

const holdsCredentials = (node: ParsedNode): boolean =>
  isScalar(node) && typeof node.value === 'string' && /:\/\/[^/]*@/.test(node.value);

function cover(text: string, spans: readonly (readonly [number, number])[]): string {
  let result = '';
  let at = 0;
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    if (start < at) continue;
    result += text.slice(at, start) + stars(text.slice(start, end));
    at = end;
  }
  return result + text.slice(at);
}

const stars = (text: string): string => text.replaceAll(/[^\r\n]/g, '*');

const secretKey = /pass|pasw|secret|token|credential/i;

/** For a text that cannot be read: everything after such a key, and every URL with a user in it. Bounded, so that a long word costs no more than a short one. */
const secretLine =
  /((?:pass|pasw|secret|token|credential)[\w-]{0,100}["']?\s{0,100}:[ \t]*|:\/\/)(?!\{ *(?:env|file|command|vault) *:)([^\r\n]*)/gi;
