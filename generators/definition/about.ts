import * as z from 'zod';
import type { Path } from '../source/finding.ts';
import { schema } from './schema/schema.ts';

/** What is known of a place in a definition, in the words of JSON Schema. */
export interface KeyNode {
  readonly type?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly absent?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, KeyNode>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly { readonly required: readonly string[] }[];
  readonly items?: KeyNode;
  readonly anyOf?: readonly KeyNode[];
  /** What stands behind the keys of a mapping whose keys are not ours. */
  readonly additionalProperties?: KeyNode | false;
  readonly instead?: string;
}

/** A schema as a tree of keys; made when it is first asked for, since a sound definition never needs it. */
export function treeOf(of: z.ZodType): KeyNode {
  const known = trees.get(of);
  if (known !== undefined) return known;
  const tree = z.toJSONSchema(of, { target: 'draft-7' }) as KeyNode;
  trees.set(of, tree);
  return tree;
}

const trees = new WeakMap<z.ZodType, KeyNode>();

/** That of a cluster. */
export const keyTree = (): KeyNode => treeOf(schema);

/** What is known of the place at a path; undefined where nothing is allowed. */
export function about(path: Path, tree = keyTree()): KeyNode | undefined {
  let node: KeyNode | undefined = tree;
  for (const step of path)
    node =
      typeof step === 'number'
        ? branch(node, 'items')?.items
        : (branch(node, 'properties')?.properties?.[step] ?? free(node));
  return node;
}

/** The keys that are allowed in the mapping at a path. */
export const keysAt = (path: Path, tree = keyTree()): readonly string[] =>
  Object.keys(branch(about(path, tree), 'properties')?.properties ?? {});

/** Whether the key at a path must be there. */
export const isNeeded = (path: Path, tree = keyTree()): boolean =>
  branch(about(path.slice(0, -1), tree), 'properties')?.required?.includes(String(path.at(-1))) === true;

const free = (node: KeyNode | undefined): KeyNode | undefined =>
  node?.additionalProperties === false ? undefined : node?.additionalProperties;

const branch = (node: KeyNode | undefined, kind: 'items' | 'properties'): KeyNode | undefined =>
  node?.[kind] ? node : node?.anyOf?.find((each) => each[kind]);
