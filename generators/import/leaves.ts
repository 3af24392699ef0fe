import type { MapEntry, ForeignNode, TextPlace } from '../source/foreign/node.ts';

/** One value of somebody else's file, by the keys that lead to it. */
export interface Leaf {
  readonly path: string;
  readonly key: string;
  readonly node: ForeignNode;
  /** Where it stands, and where what it stands in begins, the outermost first. */
  readonly places: readonly TextPlace[];
  /** The name of a host or a group, which is no secret. */
  readonly isName?: true;
}

/** The values below an entry of a mapping. */
export const leavesOf = ({ key, keyPlace, value }: MapEntry, before = ''): readonly Leaf[] =>
  below(value, { path: before === '' ? key : `${before}.${key}`, key, places: [keyPlace] });

/** The values of a whole file. */
export const allLeaves = (node: ForeignNode): readonly Leaf[] =>
  below(node, { path: '', key: '', places: [] });

function below(node: ForeignNode, above: Omit<Leaf, 'node'>): readonly Leaf[] {
  const places = [...above.places, node.place];
  if (node.kind === 'map' && node.entries.length > 0)
    return node.entries.flatMap(({ key, keyPlace, value }) =>
      below(value, {
        path: above.path === '' ? key : `${above.path}.${key}`,
        key,
        places: [...places, keyPlace],
      }),
    );
  if (node.kind === 'list' && node.items.length > 0)
    return node.items.flatMap((item) => below(item, { ...above, path: `${above.path}[]`, places }));
  return [{ ...above, node, places }];
}

/** Where a leaf stands: the value itself, or its key where it has none. */
export const placeOf = ({ places }: Leaf): TextPlace =>
  places.at(-1) ?? { file: '', line: 1, column: 1, length: 1 };
