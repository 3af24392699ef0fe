import type { Finding, Path } from '../source/finding.ts';

/** The data with a gap for each value in which something is wrong, for each that is missing, and where a key may have been meant that is written otherwise. */
export function prune(data: unknown, findings: readonly Finding[]): unknown {
  const copy = structuredClone(data);
  for (const { path, at, meant = [] } of findings) {
    if (at === 'value') empty(copy, path);
    for (const key of meant)
      if (!isThere(copy, [...path.slice(0, -1), key])) empty(copy, [...path.slice(0, -1), key]);
  }
  return isNode(copy) ? copy : {};
}

function empty(root: unknown, path: Path): void {
  const holder = holderOf(root, path);
  const last = path.at(-1);
  if (holder && last !== undefined) holder[last] = undefined;
}

const isThere = (root: unknown, path: Path): boolean =>
  Object.hasOwn(holderOf(root, path) ?? {}, path.at(-1) ?? '');

/** What the place is in: a list, or a mapping whose key may lack. */
function holderOf(root: unknown, path: Path): Record<string | number, unknown> | undefined {
  let node = root;
  for (const step of path.slice(0, -1)) {
    if (!isNode(node)) return undefined;
    node = node[step];
  }
  return isNode(node) && (typeof path.at(-1) === 'number' || !Array.isArray(node)) ? node : undefined;
}

const isNode = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null;
