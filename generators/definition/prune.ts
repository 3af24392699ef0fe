import type { Finding, Path } from '../source/finding.ts';

/** The data without the values in which something is wrong. */
export function prune(data: unknown, findings: readonly Finding[]): unknown {
  const copy = structuredClone(data);
  for (const { path, at } of findings) if (at === 'value') remove(copy, path);
  return isNode(copy) ? copy : {};
}

function remove(root: unknown, path: Path): void {
  let node = root;
  for (const step of path.slice(0, -1)) {
    if (!isNode(node)) return;
    node = node[step];
  }
  const last = path.at(-1);
  if (isNode(node) && last !== undefined && Object.hasOwn(node, last)) node[last] = undefined;
}

const isNode = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null;
