import { keepMarks } from '../machines.ts';
import { isNull, itemsOf, textOf } from '../../source/foreign/look.ts';
import type { ForeignNode } from '../../source/foreign/node.ts';
import { readPlain } from '../../source/scalar.ts';
import type { VariablesOfHost } from './ssh.ts';

/** Labels and taints that kubespray gives a node. Without an installer of ours they are only told. */
export function marksOf(
  variables: VariablesOfHost,
  { roles, hasInstaller }: { readonly roles: readonly string[]; readonly hasInstaller: boolean },
): { readonly more: Readonly<Record<string, unknown>>; readonly notes: readonly string[] } {
  const labels = labelsOf(variables.get('node_labels')?.value);
  const taints = itemsOf(variables.get('node_taints')?.value)
    .flatMap(taintOf)
    .filter((taint) => !followsFrom(roles, taint));
  const more = {
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
    ...(taints.length > 0 ? { taints } : {}),
  };
  return keepMarks(more, hasInstaller);
}

/** The taint that a control plane has anyway. */
const followsFrom = (
  roles: readonly string[],
  { key = '', effect }: Readonly<Record<string, string>>,
): boolean =>
  /^node-role\.kubernetes\.io\/(?:control-plane|master)$/.test(key) &&
  effect === 'NoSchedule' &&
  roles.includes('control-plane') &&
  !roles.includes('worker');

function labelsOf(node: ForeignNode | undefined): Readonly<Record<string, string>> {
  if (node?.kind === 'map')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key, labelOf(value)]));
  if (!areLabels(node)) return {};
  const pairs = (textOf(node) ?? '').split(',').map((pair) => pair.trim().split('='));
  return Object.fromEntries(pairs.map(([key = '', value = '']) => [key, value]));
}

/** A mapping, which kubespray wants, or a text that can be nothing else than labels. */
export const areLabels = (node: ForeignNode | undefined): boolean =>
  node?.kind === 'map' ||
  (textOf(node) ?? '').split(',').every((pair) => /^\s*[^=\s]+=[^=\s]*\s*$/.test(pair));

/** A label as kubespray writes it: with Python, which begins truth values with a capital, and keeps no zero at the end of 1.10. */
function labelOf(node: ForeignNode): string {
  if (node.kind !== 'scalar' || node.isQuoted) return textOf(node) ?? '';
  if (isNull(node)) return 'None';
  const { value } = readPlain(node.text);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'number') return node.text;
  return Number.isInteger(value) && node.text.includes('.') ? value.toFixed(1) : String(value);
}

/** `key=value:NoSchedule` */
export function taintOf(node: ForeignNode): readonly Readonly<Record<string, string>>[] {
  const [, key, value, effect] = /^([^=:]+)(?:=([^:]*))?:(\w+)$/.exec(textOf(node) ?? '') ?? [];
  if (key === undefined || effect === undefined) return [];
  return [{ key, ...(value === undefined || value === '' ? {} : { value }), effect }];
}
