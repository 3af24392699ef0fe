import type { CollectedTask, Collector } from './collector.ts';
import type { TaskLine } from './report.ts';

/** Place of a collected task → place of the line that tells of it. */
export type TaskPlaces = readonly number[];

/** Every task as a line; where there are more than `most`, neighbours of one play that changed nothing share one. */
export function taskLines(
  { tasks, start, end }: Pick<Collector, 'tasks' | 'start' | 'end'>,
  most: number,
): { readonly lines: readonly TaskLine[]; readonly places: TaskPlaces } {
  const whole = tasks.map((task, index) => lineOf(task, { start, end, next: tasks[index + 1]?.from }));
  if (whole.length <= most) return { lines: whole, places: whole.map((_, index) => index) };
  const size = Math.ceil(whole.length / most);
  const lines: TaskLine[] = [];
  const places = whole.map((line) => {
    const last = lines.at(-1);
    if (last && last.of < size * 2 && last.play === line.play && isQuiet(last) && isQuiet(line))
      lines[lines.length - 1] = joinLines(last, line);
    else lines.push(line);
    return lines.length - 1;
  });
  return { lines, places };
}

function lineOf(
  { play, name, handler, from, ends }: CollectedTask,
  { start, end, next }: { readonly start: number; readonly end: number; readonly next: number | undefined },
): TaskLine {
  const counts: Record<string, number> = {};
  for (const { status } of ends) counts[status] = (counts[status] ?? 0) + 1;
  const last = ends.reduce<(typeof ends)[number] | undefined>(
    (latest, each) => (latest === undefined || each.to > latest.to ? each : latest),
    undefined,
  );
  // A task without an end still runs, or was cut off when the next one began.
  const to = last?.to ?? next ?? end;
  return {
    ...{ play, name, handler, counts },
    from: Math.round(from - start),
    to: Math.round(to - start),
    last: last?.host ?? -1,
    longest: last === undefined ? 0 : Math.round(last.to - last.from),
    waited: Math.round(ends.reduce((sum, each) => sum + (to - each.to), 0)),
    of: 1,
  };
}

const isQuiet = ({ counts }: TaskLine): boolean =>
  Object.keys(counts).every((status) => status === 'ok' || status === 'skipped');

function joinLines(before: TaskLine, line: TaskLine): TaskLine {
  const counts = { ...before.counts };
  for (const [status, count] of Object.entries(line.counts))
    counts[status] = (counts[status] ?? 0) + (count ?? 0);
  const slower = line.to - line.from > before.longest ? line : before;
  return {
    ...before,
    ...{ counts, to: line.to, last: slower.last, longest: Math.max(before.longest, line.longest) },
    waited: before.waited + line.waited,
    of: before.of + line.of,
  };
}
