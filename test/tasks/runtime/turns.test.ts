import { describe, expect, test } from 'vitest';
import { fewAtATime, turns } from '../../../tasks/runtime/turns.ts';

/** Work that ends when the test says so. */
function workshop() {
  const begun: string[] = [];
  const ends = new Map<string, { readonly well: () => void; readonly badly: (error: Error) => void }>();
  const work = (name: string): Promise<string> =>
    new Promise((resolve, reject) => {
      begun.push(name);
      ends.set(name, {
        well: () => {
          resolve(name.toUpperCase());
        },
        badly: reject,
      });
    });
  const settled = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(resolve);
    });
  return { begun, work, ends, settled };
}

describe('turns', () => {
  test('begin no more than so many pieces of work, the next one when one has ended', async () => {
    const { begun, work, ends, settled } = workshop();
    const results = fewAtATime(['a', 'b', 'c', 'd'], 2, work);
    await settled();
    expect(begun).toEqual(['a', 'b']);
    ends.get('b')?.well();
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    ends.get('c')?.well();
    ends.get('a')?.well();
    await settled();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    ends.get('d')?.well();
    expect(await results).toEqual(['A', 'B', 'C', 'D']);
  });

  test('go on after work that failed', async () => {
    const { begun, work, ends, settled } = workshop();
    const inTurn = turns(1);
    const first = inTurn(() => work('a'));
    const second = inTurn(() => work('b'));
    await settled();
    expect(begun).toEqual(['a']);
    ends.get('a')?.badly(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await settled();
    ends.get('b')?.well();
    expect(await second).toBe('B');
  });

  test('are there again when nobody waits', async () => {
    const inTurn = turns(1);
    expect(await inTurn(() => Promise.resolve(1))).toBe(1);
    expect(await inTurn(() => Promise.resolve(2))).toBe(2);
  });
});
