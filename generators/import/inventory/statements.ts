import type { Problems } from '../../source/problem.ts';
import type { MapEntry, TextPlace } from '../../source/foreign/node.ts';

/** One thing that an inventory says; INI, YAML and JSON come to the same. */
export type Statement =
  | { readonly kind: 'host'; readonly group: string; readonly host: string; readonly place: TextPlace }
  | { readonly kind: 'child'; readonly group: string; readonly child: string; readonly place: TextPlace }
  | {
      readonly kind: 'group-variable';
      readonly group: string;
      readonly entry: MapEntry;
      /** In a file of `group_vars`: that counts more than what the inventory itself says of any group. */
      readonly isBeside?: true;
    }
  | { readonly kind: 'host-variable'; readonly host: string; readonly entry: MapEntry }
  /** What a key says that stands again below: nothing. */
  | { readonly kind: 'overridden'; readonly below: string; readonly entry: MapEntry };

export interface InventoryStatements {
  readonly statements: readonly Statement[];
  readonly problems: Problems;
}

/** What several places say, in their order. */
export const combine = (all: readonly InventoryStatements[]): InventoryStatements => ({
  statements: all.flatMap(({ statements }) => statements),
  problems: all.flatMap(({ problems }) => problems),
});
