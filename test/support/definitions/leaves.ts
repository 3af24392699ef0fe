import { keyTree, type KeyNode } from '../../../generators/definition/about.ts';

export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };
export type PlainPath = readonly (string | number)[];

/** A definition with one place changed: to another value, or `without` it. */
export interface LeafChange {
  /** Like `nodes[].ssh.port`; keys of free mappings are `*`. */
  readonly key: string;
  readonly how: 'changed' | 'left out';
  /** The definition in several forms, the likeliest first: what is sound depends on the rest of it. */
  readonly definitions: Iterable<Plain>;
}

/** Other values for places whose values no rule finds, or another definition where more than that place changes. */
export type OtherValues = Readonly<Record<string, readonly Plain[] | ((definition: Plain) => Plain)>>;

/** Every leaf below `root` with another value, and every part that may lack without it, each key once. */
export function leafChanges(definition: Plain, root: PlainPath, others: OtherValues): readonly LeafChange[] {
  const found = new Map<string, LeafChange>();
  const add = (change: LeafChange): void => {
    const name = `${change.key} ${change.how}`;
    if (!found.has(name)) found.set(name, change);
  };
  const walk = (value: Plain, path: PlainPath): void => {
    const key = keyOf(path);
    if (isOptional(path) && value !== null && typeof value === 'object')
      add({ key, how: 'left out', definitions: [without(definition, path)] });
    if (value !== null && typeof value === 'object' && !isSecret(path))
      for (const [name, part] of Object.entries<Plain>(value))
        walk(part, [...path, Array.isArray(value) ? Number(name) : name]);
    else
      add({
        key,
        how: 'changed',
        definitions: having(definition, path, others[key] ?? otherValues(value, path)),
      });
  };
  walk(at(definition, root), root);
  return [...found.values()];
}

function* having(definition: Plain, path: PlainPath, values: OtherValues[string]): Generator<Plain> {
  if (typeof values === 'function') yield values(definition);
  else for (const value of values) yield replaced(definition, path, value);
}

/** Every leaf that the schema knows, as `LeafChange` names it. */
export function knownLeaves(node: KeyNode = keyTree(), prefix = ''): readonly string[] {
  if (node.properties?.['env'] !== undefined) return [prefix];
  const inner = [
    ...Object.entries(node.properties ?? {}).flatMap(([key, child]) =>
      knownLeaves(child, prefix === '' ? key : `${prefix}.${key}`),
    ),
    ...(node.items ? knownLeaves(node.items, `${prefix}[]`) : []),
    ...(node.anyOf ?? []).flatMap((each) => knownLeaves(each, prefix)),
  ];
  return inner.length > 0 ? [...new Set(inner)] : [prefix];
}

/** How a path is written for a person; what a free mapping holds is one with it. */
function keyOf(path: PlainPath): string {
  let node: KeyNode | undefined = keyTree();
  let key = '';
  for (const step of path) {
    const inner: KeyNode | undefined = nodeBelow(node, step);
    if (inner === undefined) return key;
    key += typeof step === 'number' ? '[]' : key === '' ? step : `.${step}`;
    node = inner;
  }
  return key;
}

/** The node of a key or an item; undefined inside of a mapping whose keys are not ours. */
const nodeBelow = (node: KeyNode | undefined, step: string | number): KeyNode | undefined =>
  [node, ...(node?.anyOf ?? [])]
    .map((each) => (typeof step === 'number' ? each?.items : each?.properties?.[step]))
    .find((each) => each !== undefined);

const nodeAt = (path: PlainPath): KeyNode | undefined =>
  path.reduce<KeyNode | undefined>(nodeBelow, keyTree());

const isSecret = (path: PlainPath): boolean => nodeAt(path)?.properties?.['env'] !== undefined;

function isOptional(path: PlainPath): boolean {
  const [last] = path.slice(-1);
  const parent = nodeAt(path.slice(0, -1));
  if (typeof last !== 'string' || nodeAt(path) === undefined) return false;
  return ![parent, ...(parent?.anyOf ?? [])].some((each) => each?.required?.includes(last));
}

function otherValues(value: Plain, path: PlainPath): readonly Plain[] {
  const node = nodeAt(path);
  const words = [node, ...(node?.anyOf ?? [])].flatMap((each) => each?.enum ?? []) as readonly Plain[];
  if (words.length > 1) return words.filter((each) => each !== value);
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, value - 1, value + 10];
  if (typeof value === 'object') return [{ env: 'ANOTHER_PLACE' }];
  return otherTexts(value);
}

/** The same kind of text: an address, a version, a duration, a checksum, a URL, a name. */
const otherTexts = (text: string): readonly string[] => [
  ...new Set(
    [
      text.replace(
        /^(\d+\.\d+\.)(\d+)/,
        (_, start: string, last: string) => start + String(Number(last) + 1),
      ),
      text.replace(/\d+(?=\D*$)/, (last) => String(Number(last) + 1)),
      text.replace(/^([0-9a-f]{20,})[0-9a-f]$/i, (_, start: string) => `${start}b`),
      text.replace('https://', 'https://x'),
      `${text}x`,
      `x${text}`,
    ].filter((each) => each !== text),
  ),
];

const at = (value: Plain, path: PlainPath): Plain =>
  path.reduce<Plain>((whole, step) => (whole as Readonly<Record<string, Plain>>)[step] ?? null, value);

function replaced(value: Plain, path: PlainPath, by: Plain): Plain {
  const [step, ...rest] = path;
  if (step === undefined) return by;
  if (Array.isArray(value))
    return value.map((each: Plain, index) => (index === step ? replaced(each, rest, by) : each));
  const whole = value as Readonly<Record<string, Plain>>;
  return { ...whole, [step]: replaced(whole[step] ?? null, rest, by) };
}

function without(value: Plain, path: PlainPath): Plain {
  const parent = at(value, path.slice(0, -1)) as Readonly<Record<string, Plain>>;
  const left = Object.entries(parent).filter(([key]) => key !== path.at(-1));
  return replaced(value, path.slice(0, -1), Object.fromEntries(left));
}
