import { readPlain } from '../scalar.ts';
import type { MapEntry, ForeignNode } from './node.ts';

/** `pod_cidr`, `podCidr`, `Pod CIDR` and `pod-cidr` are one name: programs of OpenStack write all of them. */
export const sameName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

/** The entry of a mapping by any of its names; the last one counts where a key is repeated. */
export function entry(node: ForeignNode | undefined, ...names: readonly string[]): MapEntry | undefined {
  if (node?.kind !== 'map') return undefined;
  const wanted = names.map(sameName);
  return node.entries.findLast(({ key }) => wanted.includes(sameName(key)));
}

/** The value of a key; nothing where it is absent or null. */
export function field(node: ForeignNode | undefined, ...names: readonly string[]): ForeignNode | undefined {
  const value = entry(node, ...names)?.value;
  return isNull(value) ? undefined : value;
}

/** The value at the end of a row of keys. */
export const fieldAt = (node: ForeignNode | undefined, ...path: readonly string[]): ForeignNode | undefined =>
  path.reduce<ForeignNode | undefined>((inner, name) => field(inner, name), node);

/** What stands in a list; of a mapping its values, since some programs write lists as mappings. */
export function itemsOf(node: ForeignNode | undefined): readonly ForeignNode[] {
  if (node?.kind === 'list') return node.items;
  return node?.kind === 'map' ? node.entries.map(({ value }) => value) : [];
}

/** The text of a scalar that says something; numbers and truth values as they are written. */
export const textOf = (node: ForeignNode | undefined): string | undefined =>
  node?.kind === 'scalar' && !isNull(node) && node.text !== '' ? node.text : undefined;

export const textAt = (node: ForeignNode | undefined, ...path: readonly string[]): string | undefined =>
  textOf(fieldAt(node, ...path));

/** As Ansible reads it: `yes`, `on` and `1` are true as well. */
export const isTrue = (node: ForeignNode | undefined): boolean =>
  node?.kind === 'scalar' && /^(?:true|yes|on|1)$/i.test(node.text);

export const isNull = (node: ForeignNode | undefined): boolean =>
  node?.kind === 'scalar' && !node.isQuoted && /^(?:~|null|Null|NULL)?$/.test(node.text);

/** Encrypted by ansible-vault where it stands. */
export const isVaulted = (node: ForeignNode | undefined): boolean =>
  node?.kind === 'scalar' && /^!vault(?:-encrypted)?$/.test(node.tag);

/** The node as plain data. */
export function plainOf(node: ForeignNode): unknown {
  if (node.kind === 'list') return node.items.map(plainOf);
  if (node.kind === 'map')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainOf(value)]));
  if (isNull(node)) return null;
  return node.isQuoted ? node.text : readPlain(node.text).value;
}

/** Whether two entries say the same, wherever they stand. */
export const isAlike = (a: MapEntry | undefined, b: MapEntry): boolean =>
  a === b || (a !== undefined && JSON.stringify(plainOf(a.value)) === JSON.stringify(plainOf(b.value)));
