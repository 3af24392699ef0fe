import { median, seconds } from './figure.ts';

export interface Work {
  /** Done first, not measured. */
  readonly before?: () => Promise<unknown>;
  /** Does it and says how long that took. */
  readonly seconds: () => Promise<number>;
}

/** Work that is measured from here, from its call to its end. */
export const timed = (work: () => Promise<unknown>, before?: () => Promise<unknown>): Work => ({
  seconds: () => seconds(work),
  ...(before ? { before } : {}),
});

/**
 * Seconds of each piece of work, as medians. All are done once in each round and none always comes first, so that a
 * slow moment of the machine hits them alike.
 */
export async function interleaved<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  rounds: number,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(works) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const name of rotated(names, round)) {
      await works[name].before?.();
      times.get(name)?.push(await works[name].seconds());
    }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

/** The same items, another one first. */
export const rotated = <Item>(items: readonly Item[], by: number): Item[] =>
  items.map((_, index) => items[(index + by) % items.length] as Item);
