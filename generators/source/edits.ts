import { isMap, isScalar, isSeq, type ParsedNode, type YAMLSeq } from 'yaml';
import { inOneLine, writePair } from './write-pair.ts';
import { parse, type Mapping, type Source } from './tree.ts';

/**
 * The text with the host keys of one machine set (`ssh.hostKey` of the node or host with exactly that name); all else,
 * comments and spacing included, stays as it is. Throws if there is no such machine, since the caller has read its name.
 */
export function setHostKey(text: string, machine: string, keys: readonly string[]): string {
  const source = sourceOf(text);
  const map = machineOf(source, machine);
  const ssh = map.items.find(({ key }) => isScalar(key) && key.value === 'ssh')?.value;
  return isMap(ssh)
    ? writePair(source, ssh, { key: 'hostKey', value: keys.map(quote) })
    : writePair(source, map, { key: 'ssh', value: `{ hostKey: ${inOneLine(keys.map(quote))} }` });
}

/** The text with `ansibleServer.hostKey` set. Throws if the Ansible server is `local`. */
export function setServerHostKey(text: string, key: string): string {
  const source = sourceOf(text);
  const server = valueOf(source.root, 'ansibleServer');
  if (!isMap(server)) throw new RangeError('this definition has no Ansible server with a host key');
  return writePair(source, server, { key: 'hostKey', value: quote(key) });
}

/** The text with `openStackAnsible.release` set. Throws where it is no mapping. */
export function setRelease(text: string, release: string): string {
  const source = sourceOf(text);
  const value = `'${release}'`;
  const about = valueOf(source.root, 'openStackAnsible');
  if (isMap(about)) return writePair(source, about, { key: 'release', value });
  if (!isMap(source.root)) throw new RangeError('a definition that is no mapping cannot be edited');
  return writePair(source, source.root, { key: 'openStackAnsible', value: `{ release: ${value} }` });
}

/** A value, and the mapping that has its key. */
export interface ValueAt {
  readonly at: readonly string[];
  readonly key: string;
  readonly value: string;
}

/** The text with one value replaced; comments, spacing and quotes stay. Throws if there is no such mapping. */
export function setAt(text: string, { at, key, value }: ValueAt): string {
  const source = sourceOf(text);
  const map = nodeAt(source, at);
  if (!isMap(map)) throw new RangeError(`there is no mapping ${at.join('.')}`);
  const old = valueOf(map, key);
  const written = asWritten(value, isScalar(old) ? old.type : undefined);
  return writePair(source, map, { key, value: written });
}

/** In the quotes that the old value has, or in some where a plain one would be read as a number. */
function asWritten(value: string, style: string | undefined): string {
  const isPlain = /^(?![\d.e]+$)[\w.:/@%+-]+$|^\d+\.\d+\.\d+$/.test(value);
  if (style === 'QUOTE_SINGLE' && isPlain) return `'${value}'`;
  return style === 'QUOTE_DOUBLE' || !isPlain ? JSON.stringify(value) : value;
}

/** The text of a value; undefined where there is none, or it is no scalar. */
export function textAt(text: string, at: readonly string[], key: string): string | undefined {
  const map = nodeAt(sourceOf(text), at);
  const found = map && scalarOf(valueOf(map, key));
  return typeof found === 'string' ? found : undefined;
}

const nodeAt = ({ root }: Source, at: readonly string[]): ParsedNode | null =>
  at.reduce<ParsedNode | null>((node, name) => node && valueOf(node, name), root);

function sourceOf(text: string): Source {
  const source = parse(text, '');
  if (!source.ok) throw new RangeError('a definition that cannot be read cannot be edited');
  return source.value;
}

function machineOf({ root }: Source, name: string): Mapping {
  const single = valueOf(root, 'deployHost');
  if (isMap(single) && scalarOf(valueOf(single, 'name')) === name) return single;
  const lists = ['nodes', 'hosts'].map((list) => valueOf(root, list)).filter((list) => isSeq(list));
  const found = lists
    .flatMap((list) => (list as YAMLSeq<ParsedNode>).items)
    .find((item) => scalarOf(valueOf(item, 'name')) === name);
  if (!isMap(found)) throw new RangeError(`there is no machine ${name}`);
  return found;
}

const valueOf = (node: ParsedNode, name: string): ParsedNode | null =>
  isMap(node) ? ((node as Mapping).items.find(({ key }) => scalarOf(key) === name)?.value ?? null) : null;

const scalarOf = (node: ParsedNode | null): unknown => (isScalar(node) ? node.value : undefined);

const quote = (text: string): string =>
  /^[\w@.-]+ [\w+/=]+$|^SHA256:[\w+/=]+$/.test(text) ? text : JSON.stringify(text);
