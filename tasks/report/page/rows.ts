import { statuses, type RunReport } from '../../../generators/report/report.ts';
import { clock, duration } from './format.ts';

/** What a row is. */
export type RowKind = 'hosts' | 'tasks';

/** What is drawn: rows from top to bottom, and bars as [row, from, to, colour]. */
export interface Rows {
  readonly names: readonly string[];
  readonly bars: readonly DrawnBar[];
}

export type DrawnBar = readonly [row: number, from: number, to: number, kind: number];

/** Colours by the last number of a bar: the statuses, then plays of even and of odd turn, then a task that runs. */
export const kinds = [...statuses, 'play-even', 'play-odd', 'running'] as const;

export const isPlay = (kind: number): boolean => kinds[kind]?.startsWith('play') === true;

/** One row of plays, then one a host. */
export function hostRows({ lanes, hosts, plays, status }: RunReport): Rows {
  const bars: DrawnBar[] = plays.map(({ from, to }, turn) => [
    0,
    from,
    to,
    kindOf(turn % 2 === 0 ? 'play-even' : 'play-odd'),
  ]);
  lanes.forEach(({ bars: mine }, row) => {
    for (const [from, to, how] of mine) bars.push([row + 1, from, to, how]);
  });
  const names = lanes.map(({ host }) => hosts[host]?.name ?? '');
  return { names: [status === 'running' ? 'plays so far' : 'plays', ...names], bars };
}

/** One row a task, in the colour of the worst that became of it. */
export const taskRows = ({ tasks, status }: RunReport): Rows => ({
  names: tasks.map(({ name, of }) => (of > 1 ? `${name} and ${of - 1} more` : name)),
  bars: tasks.map(({ from, to, counts }, row) => {
    const worst = worstFirst.find((each) => (counts[each] ?? 0) > 0);
    return [row, from, to, kindOf(worst ?? (status === 'running' ? 'running' : 'skipped'))];
  }),
});

const worstFirst = ['unreachable', 'failed', 'ignored', 'changed', 'ok', 'skipped'] as const;

const kindOf = (name: (typeof kinds)[number]): number => kinds.indexOf(name);

/** What is said of the bar under the pointer, as lines of plain text. */
export function describe(run: RunReport, view: RowKind, place: number): readonly string[] {
  if (view === 'tasks') {
    const task = run.tasks[place];
    if (task === undefined) return [];
    const ends = Object.entries(task.counts).map(([status, count]) => `${count ?? 0} ${status}`);
    const last = run.hosts[task.last]?.name;
    return [
      task.name,
      `${duration(task.to - task.from)}, from ${clock(task.from)}`,
      ends.join(', '),
      last === undefined ? 'still running, or cut off' : `${last} was last, with ${duration(task.longest)}`,
    ];
  }
  const play = run.plays[place];
  if (play !== undefined) return [play.name, `${duration(play.to - play.from)}, from ${clock(play.from)}`];
  return describeBar(run, place - run.plays.length);
}

function describeBar(run: RunReport, place: number): readonly string[] {
  let rest = place;
  for (const { host, bars } of run.lanes) {
    const bar = bars[rest];
    if (rest >= bars.length) rest -= bars.length;
    else if (bar !== undefined) {
      const [from, to, how, task, of] = bar;
      const name = run.tasks[task]?.name ?? '';
      return [
        `${run.hosts[host]?.name ?? ''}: ${statuses[how] ?? ''}`,
        of > 1 ? `${name} and ${of - 1} more` : name,
        `${duration(to - from)}, from ${clock(from)}`,
      ];
    }
  }
  return [];
}
