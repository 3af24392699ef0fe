import { isNull, plainOf } from '../../source/foreign/look.ts';
import type { ForeignNode } from '../../source/foreign/node.ts';

/** What programs of Kubernetes write for "not set": `""`, 0, `0s`, null, an empty list or mapping. */
export const isZero = (node: ForeignNode): boolean => {
  if (node.kind === 'list') return node.items.every(isZero);
  if (node.kind === 'map') return node.entries.every(({ value }) => isZero(value));
  return isNull(node) || /^(?:|0|0s|0h0m0s)$/.test(node.text);
};

/** The node as plain data, without values for which `isLeft` holds; undefined: nothing is left of it. */
export function without(
  node: ForeignNode,
  path: string,
  isLeft: (node: ForeignNode, path: string) => boolean,
): unknown {
  if (node.kind !== 'map') return isLeft(node, path) ? undefined : plainOf(node);
  const kept = node.entries
    .map(({ key, value }) => [key, without(value, `${path}.${key}`, isLeft)] as const)
    .filter(([, value]) => value !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
