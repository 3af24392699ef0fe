import type { PlayOutline } from './outline.ts';

/** Where a run is in its outline, as its plays and tasks are announced. */
export interface Position {
  /** A play begins, or its next part of the hosts. */
  readonly begin: (play: string) => void;
  /** The place in the outline of the task that Ansible announces as its `number`th. */
  readonly place: (number: number) => number;
}

/** What a play leaves out, since none of its hosts needs it, counts as done once the next one begins. */
export function positionIn(plays: readonly PlayOutline[]): Position {
  const parts = plays.flatMap(({ name, tasks, batches }) =>
    Array.from({ length: batches }, () => ({ name, tasks: tasks.length })),
  );
  const starts = parts.map((_, index) => parts.slice(0, index).reduce((sum, { tasks }) => sum + tasks, 0));
  let [next, announced, shift, shown] = [0, 0, 0, 0];
  return {
    begin: (play) => {
      const index = parts.findIndex(({ name }, at) => at >= next && name === play);
      // Nobody foresaw it: its hosts came into a group as they answered.
      if (index < 0) return;
      next = index + 1;
      shift = (starts[index] ?? 0) - announced;
    },
    place: (number) => {
      announced = number;
      shown = Math.max(shown, number + shift);
      return shown;
    },
  };
}
