import { describe, expect, test } from 'vitest';
import type { PlayOutline } from '../../../generators/outline/outline.ts';
import { positionIn } from '../../../generators/outline/position.ts';

const play = (name: string, tasks: number, batches = 1): PlayOutline => ({
  name,
  batches,
  hosts: ['cp1'],
  tasks: Array.from({ length: tasks }, (_, index) => ({ name: `${name} ${index}`, tags: [] })),
});

/** The places of what is announced: a play by its name, a task by nothing but that it comes. */
function placesOf(
  plays: readonly PlayOutline[],
  announced: readonly (readonly [string, number])[],
): number[] {
  const position = positionIn(plays);
  let number = 0;
  return announced.flatMap(([name, tasks]) => {
    position.begin(name);
    return Array.from({ length: tasks }, () => position.place((number += 1)));
  });
}

describe('the place of a task in the outline', () => {
  const plays = [play('prepare', 3), play('join', 2, 3), play('verify', 2)];

  test('is its number where all is announced', () => {
    const all = [
      ['prepare', 3],
      ['join', 2],
      ['join', 2],
      ['join', 2],
      ['verify', 2],
    ] as const;
    expect(placesOf(plays, all)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('goes past what a play left out as soon as the next one begins', () => {
    const some = [
      ['prepare', 1],
      ['join', 1],
      ['join', 1],
      ['join', 1],
      ['verify', 2],
    ] as const;
    expect(placesOf(plays, some)).toEqual([1, 4, 6, 8, 10, 11]);
  });

  test('stays behind nothing that was shown when a play comes that nobody foresaw', () => {
    const more = [
      ['prepare', 3],
      ['one at a time', 4],
      ['join', 2],
      ['verify', 2],
    ] as const;
    expect(placesOf(plays, more)).toEqual([1, 2, 3, 4, 5, 6, 7, 7, 7, 10, 11]);
  });

  test('is the number that Ansible counts where nothing is foreseen', () => {
    expect(
      placesOf(
        [],
        [
          ['prepare', 2],
          ['verify', 1],
        ],
      ),
    ).toEqual([1, 2, 3]);
  });
});
