/** Items whose key an earlier item has, each with that earlier one. Linear. */
export function repetitions<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): (readonly [item: Item, first: Item])[] {
  const first = new Map<string, Item>();
  return items.flatMap((item) => {
    const key = keyOf(item);
    if (key === undefined) return [];
    const earlier = first.get(key);
    if (earlier !== undefined) return [[item, earlier] as const];
    first.set(key, item);
    return [];
  });
}
