import type { Problems } from '../../source/problem.ts';
import type { Entry, Place } from '../../source/foreign/node.ts';

/** One thing that an inventory says; INI, YAML and JSON come to the same. */
export type Statement =
  | { readonly kind: 'host'; readonly group: string; readonly host: string; readonly place: Place }
  | { readonly kind: 'child'; readonly group: string; readonly child: string; readonly place: Place }
  | { readonly kind: 'group-variable'; readonly group: string; readonly entry: Entry }
  | { readonly kind: 'host-variable'; readonly host: string; readonly entry: Entry };

export interface Said {
  readonly statements: readonly Statement[];
  readonly problems: Problems;
}

/** What several places say, in their order. */
export const combined = (all: readonly Said[]): Said => ({
  statements: all.flatMap(({ statements }) => statements),
  problems: all.flatMap(({ problems }) => problems),
});
