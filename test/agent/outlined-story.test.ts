import { afterAll, describe, expect, test } from 'vitest';
import type { PlayLength } from '../../tasks/runtime/agent/run-records.ts';
import { python } from '../support/python.ts';

const story = python(
  'from playsmith.history.outlined_story import OutlinedStory',
  '(lambda story: [(story.tell(each) or {}).get("number") for each in it["events"]])(OutlinedStory(it["outline"]))',
);
afterAll(() => {
  story.close();
});

const play = (name: string, tasks: number, batches = 1): PlayLength => ({ name, tasks, batches });
type Announced = readonly (readonly [string, number])[];

/** The numbers of tasks of which nothing is known but that they begin, in plays by their names. */
async function numbersOf(outline: readonly PlayLength[], announced: Announced): Promise<unknown[]> {
  let uuid = 0;
  const events = announced.flatMap(([name, tasks]) => [
    { event: 'playbook_on_play_start', event_data: { name } },
    ...Array.from({ length: tasks }, () => ({
      event: 'playbook_on_task_start',
      event_data: { name: 'Do it', task_uuid: `${(uuid += 1)}` },
    })),
  ]);
  const told = (await story.ask({ outline, events })) as (number | null)[];
  return told.filter((number) => number !== null);
}

describe('the number of a task', () => {
  const outline = [play('prepare', 3), play('join', 2, 3), play('verify', 2)];

  test('is its place in the outline where all of it is announced', async () => {
    const all: Announced = [
      ['prepare', 3],
      ['join', 2],
      ['join', 2],
      ['join', 2],
      ['verify', 2],
    ];
    expect(await numbersOf(outline, all)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('goes past what a play left out as soon as the next one begins', async () => {
    const some: Announced = [
      ['prepare', 1],
      ['join', 1],
      ['join', 1],
      ['join', 1],
      ['verify', 2],
    ];
    expect(await numbersOf(outline, some)).toEqual([1, 4, 6, 8, 10, 11]);
  });

  test('stays behind nothing that was told when a play comes that nobody foresaw', async () => {
    const more: Announced = [
      ['prepare', 3],
      ['one at a time', 4],
      ['join', 2],
      ['verify', 2],
    ];
    expect(await numbersOf(outline, more)).toEqual([1, 2, 3, 4, 5, 6, 7, 7, 7, 10, 11]);
  });

  test('is how many began where nothing is foreseen', async () => {
    const some: Announced = [
      ['prepare', 2],
      ['verify', 1],
    ];
    expect(await numbersOf([], some)).toEqual([1, 2, 3]);
  });
});
