/** Lets at most so many pieces of work go on at a time; the others wait, and begin in the order in which they came. */
export function turns(most: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let free = most;
  const begin = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
  };
  const end = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return async (work) => {
    await begin();
    try {
      return await work();
    } finally {
      end();
    }
  };
}

/** What `work` makes of every item, in their order; at most so many at a time. */
export function fewAtATime<Item, Value>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const inTurn = turns(most);
  return Promise.all(items.map((item) => inTurn(() => work(item))));
}
