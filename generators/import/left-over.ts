import type { ForeignNode } from '../source/foreign/node.ts';
import { parseAddress, parseBlock } from '../source/networks.ts';
import { isNull, plainOf } from '../source/foreign/look.ts';
import { allLeaves, placeOf, type Leaf } from './leaves.ts';
import { withoutSecrets } from './masked.ts';
import { part, type ImportPart } from './part.ts';

/** Values that nothing took, with their places. */
export function leftOverPart(leaves: readonly Leaf[]): ImportPart {
  const shown = new Map<string, unknown[]>();
  for (const [key, value] of leaves.map(showLeaf)) shown.set(key, [...(shown.get(key) ?? []), value]);
  // Items of a list of INI stand at one place.
  const data = [...shown].map(([key, values]) => [key, values.length === 1 ? values[0] : values] as const);
  return leftOver(leaves, Object.fromEntries(data));
}

function showLeaf(leaf: Leaf): readonly [string, unknown] {
  const { file, line, column } = placeOf(leaf);
  const shown = `${leaf.path} (${file}:${line}:${column})`;
  if (leaf.isName === true) return [shown, plainOf(leaf.node)];
  const masked = withoutSecrets({ [leaf.path.split('.')[0] ?? '']: { [leaf.key]: plainOf(leaf.node) } });
  const value = Object.values(
    Object.values(masked as Readonly<Record<string, object>>)[0] ?? {},
  )[0] as unknown;
  return [shown, value ?? null];
}

/**
 * Many values of listings that programs print: a line for each key, without the values. One is taken over when it stands in the
 * definition, comments included.
 * @param isAskedFor whether it is a password that is asked for from now on
 */
export const restOf =
  (nodes: readonly ForeignNode[], isAskedFor: (leaf: Leaf) => boolean = () => false) =>
  (text: string): ImportPart => {
    const leaves = nodes
      .flatMap(allLeaves)
      .filter((leaf) => !(standsIn(text, leaf.node) || isNull(leaf.node) || isAskedFor(leaf)));
    const lines = new Map<string, Set<number>>();
    for (const leaf of leaves) {
      const key = `${leaf.path} (${placeOf(leaf).file})`;
      lines.set(key, (lines.get(key) ?? new Set()).add(placeOf(leaf).line));
    }
    const data = Object.fromEntries(
      [...lines].map(([key, all]) => [key, `${all.size === 1 ? 'line' : 'lines'} ${[...all].join(', ')}`]),
    );
    return leftOver(leaves, data);
  };

/** A word of every day may stand there for something else, and an address be the beginning of another one. */
function standsIn(text: string, node: ForeignNode): boolean {
  if (node.kind !== 'scalar' || node.text.length < 5 || !/[^a-z]/i.test(node.text)) return false;
  const block = parseBlock(node.text) ?? parseAddress(node.text);
  if (!block) return text.includes(node.text);
  const more = block.family === 4 ? String.raw`\w|\.\w` : String.raw`[\w:]`;
  return new RegExp(`(?<![\\w.:])${node.text.replaceAll('.', String.raw`\.`)}(?!${more})`).test(text);
}

const leftOver = (leaves: readonly Leaf[], data: Readonly<Record<string, unknown>>): ImportPart =>
  part({
    leftOver: leaves,
    kept: leaves.length === 0 ? [] : [{ title, data: { 'x-not-taken-over': data } }],
  });

const title = 'Not taken over, since a definition has no key for it:';
