import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type Pair } from 'yaml';
import { problemAt, keyProblemAt, type Finding, type Path } from './finding.ts';
import { nestedTooDeep } from './limits.ts';
import { readPlain } from './scalar.ts';
import { secretKeys } from './secret-keys.ts';
import { unsafeText } from './unsafe-text.ts';

export interface DataWithFindings {
  readonly data: unknown;
  readonly findings: readonly Finding[];
}

/** The tree as plain data, without anchors, aliases, tags and repeated keys, each of which is a finding. */
export function toData(root: ParsedNode): DataWithFindings {
  const findings: Finding[] = [];
  const note = (finding: Finding): undefined => {
    findings.push(finding);
  };
  return { data: valueOf(root, [], note), findings };
}

type Note = (finding: Finding) => undefined;

function valueOf(node: ParsedNode | null, path: Path, note: Note): unknown {
  if (node === null) return null;
  if (path.length > deepest) {
    note(problemAt(path, nestedTooDeep.wrong, nestedTooDeep.right));
    return;
  }
  if (isAlias(node)) {
    note(problemAt(path, 'aliases are not allowed here', 'the value itself'));
    return;
  }
  if (node.anchor !== undefined)
    note(problemAt(path, 'anchors are not allowed here', 'the value without `&…`'));
  if (node.tag !== undefined && node.tag !== '')
    note(problemAt(path, 'YAML tags are not allowed here', 'the value without `!…`'));
  if (isScalar(node)) return scalarOf(node as ScalarNode, path, note);
  if (isSeq(node)) return node.items.map((item, index) => valueOf(item, [...path, index], note));
  return isMap(node) ? mapOf(node.items, path, note) : null;
}

type ScalarNode = ParsedNode & { value: string; source: string; type: string };
type MapItem = Pair<ParsedNode, ParsedNode | null>;

function mapOf(items: readonly MapItem[], path: Path, note: Note): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const { key, value } of items) {
    const name = keyOf(key, path, note);
    if (name === undefined) continue;
    if (Object.hasOwn(result, name))
      note(keyProblemAt([...path, name], `\`${name}\` is listed twice`, 'one of the two'));
    else result[name] = valueOf(value, [...path, name], note);
  }
  return result;
}

function keyOf(key: ParsedNode, path: Path, note: Note): string | undefined {
  if (!isScalar(key) || typeof key.value !== 'string') {
    note(problemAt(path, 'a key is a word', 'KEY: VALUE'));
    return;
  }
  if (key.value === '<<') {
    note(problemAt(path, 'merge keys (`<<`) are not allowed here', 'the keys themselves'));
    return;
  }
  if (key.value === '__proto__' || unsafeText(key.value)) {
    note(problemAt(path, 'a key of this mapping is not a word', 'a key that the reference page knows'));
    return;
  }
  return key.value;
}

function scalarOf(node: ScalarNode, path: Path, note: Note): unknown {
  if (node.type !== 'PLAIN') return safe(node.value, path, note);
  const { value, trap } = readPlain(node.source);
  if (trap && !isSecret(path)) note(problemAt(path, trap.means, trap.right));
  return typeof value === 'string' ? safe(value, path, note) : value;
}

/** A secret in plain text is refused in other words, as is all that stands beside its source. */
const safe = (value: string, path: Path, note: Note): string => {
  const unsafe = isBlock(path) ? unsafeLine(value) : unsafeText(value);
  if (unsafe && !secretKeys.has(String(path.at(-1)))) note(problemAt(path, unsafe, 'the text without it'));
  return value;
};

/** A certificate is the one text of several lines. */
const isBlock = (path: Path): boolean => path[0] === 'containerd' && path.at(-1) === 'ca';

const unsafeLine = (value: string): string | undefined =>
  value
    .split('\n')
    .map(unsafeText)
    .find((unsafe) => unsafe !== undefined);

/** Below such a key a text may be a secret, so it is not repeated in a message. */
const isSecret = (path: Path): boolean => path.some((step) => secretKeys.has(String(step)));

const deepest = 24;
