import type { Collector } from './collector.ts';
import type { TaskPlaces } from './task-lines.ts';
import { statuses, type Bar, type Lane } from './report.ts';

/** The lanes of hosts in the order of `order`: every end of a task a bar, folded where there are more than `most`. */
export function lanesOf(
  { tasks, start }: Pick<Collector, 'tasks' | 'start'>,
  {
    places,
    order,
    most,
  }: { readonly places: TaskPlaces; readonly order: readonly number[]; readonly most: number },
): { readonly lanes: readonly Lane[]; readonly hidden: number } {
  const bars = new Map<number, Bar[]>(order.map((host) => [host, []]));
  tasks.forEach((task, index) => {
    for (const { host, from, to, status } of task.ends)
      bars
        .get(host)
        ?.push([
          Math.round(from - start),
          Math.round(to - start),
          statuses.indexOf(status),
          places[index] ?? 0,
          1,
        ]);
  });
  const plays = tasks.map(({ play }) => play);
  const playOf = new Map(places.map((place, index) => [place, plays[index] ?? 0]));
  const whole = order.map((host) => ({ host, bars: bars.get(host) ?? [] }));
  if (count(whole) <= most) return { lanes: whole, hidden: 0 };
  const folded = whole.map(({ host, bars: all }) => ({ host, bars: fold(all, playOf) }));
  let room = most;
  const lanes = folded.filter((lane) => (room -= lane.bars.length) >= 0);
  return { lanes, hidden: folded.length - lanes.length };
}

const count = (lanes: readonly Lane[]): number => lanes.reduce((sum, { bars }) => sum + bars.length, 0);

/** Bars of one play that tell of nothing but `ok` and `skipped` become one, as long as the whole. */
function fold(bars: readonly Bar[], playOf: ReadonlyMap<number, number>): readonly Bar[] {
  const folded: Bar[] = [];
  for (const bar of bars) {
    const last = folded.at(-1);
    if (last && isQuiet(last) && isQuiet(bar) && playOf.get(last[3]) === playOf.get(bar[3]))
      folded[folded.length - 1] = [last[0], bar[1], Math.min(last[2], bar[2]), last[3], last[4] + bar[4]];
    else folded.push(bar);
  }
  return folded;
}

const isQuiet = ([, , status]: Bar): boolean => statuses[status] === 'ok' || statuses[status] === 'skipped';
