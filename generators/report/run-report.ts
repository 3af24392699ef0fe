import type { CollectedChange, Collector } from './collector.ts';
import { hostLines } from './host-lines.ts';
import { lanesOf } from './lanes.ts';
import { cut, usualLimits, type PageLimits } from './limits.ts';
import type { ChangeLine, FailureLine, HostLine, PlayLine, RunHead, RunReport } from './report.ts';
import { taskLines } from './task-lines.ts';

/** What is shown of a run: as much as fits into a page, and a word on what does not. */
export function runReport(head: RunHead, collected: Collector, limits: PageLimits = usualLimits): RunReport {
  const hosts = hostLines(collected);
  const { lines: tasks, places } = taskLines(collected, limits.tasks);
  const { lanes, hidden } = lanesOf(collected, { places, order: byInterest(hosts), most: limits.bars });
  const failures = failureLines(collected, limits);
  const changed = changeLines([...collected.changes.values()], limits);
  return {
    ...head,
    ...{ hosts, tasks, lanes, failures: failures.lines },
    ...{ changes: changed.lines, diffs: changed.diffs },
    plays: playLines(collected),
    warnings: collected.warnings.slice(0, limits.words),
    words: collected.words.slice(-limits.words),
    leftOut: [
      hidden > 0
        ? `${hidden} hosts have no lane in the timeline: those without a failure and with the least to do.`
        : '',
      tasks.length < collected.tasks.length
        ? `${collected.tasks.length} tasks are told in ${tasks.length} lines: neighbours that changed nothing share one.`
        : '',
      failures.leftOut > 0 ? `${failures.leftOut} more failures are not shown.` : '',
      changed.leftOut > 0 ? `${changed.leftOut} differences of files are not shown, or cut.` : '',
      changed.rest > 0 ? `${changed.rest} more changes are not listed.` : '',
    ].filter((sentence) => sentence !== ''),
  };
}

/** Failed hosts first, then those that changed most, then those that worked longest. */
const byInterest = (hosts: readonly HostLine[]): readonly number[] =>
  hosts
    .map((host, index) => ({ host, index }))
    .sort(
      ({ host: a }, { host: b }) =>
        Number(b.failed + b.unreachable > 0) - Number(a.failed + a.unreachable > 0) ||
        b.changed - a.changed ||
        b.busy - a.busy,
    )
    .map(({ index }) => index);

const playLines = ({ plays, start, end }: Collector): readonly PlayLine[] =>
  plays.map(({ name, from }, index) => ({
    name,
    from: Math.round(from - start),
    to: Math.round((plays[index + 1]?.from ?? end) - start),
  }));

/** The first that happened comes first: others often follow from it. */
function failureLines(
  { failures, start }: Collector,
  { failures: most, text, texts }: PageLimits,
): { readonly lines: readonly FailureLine[]; readonly leftOut: number } {
  const all = [...failures.values()].sort((a, b) => a.at - b.at);
  let room = texts;
  const lines = all.slice(0, most).map((failure) => {
    const message = cut(failure.message, text);
    const output = room > 0 ? cut(failure.output, Math.min(text, room)) : '';
    room -= message.length + output.length;
    return { ...failure, message, output, at: Math.round(failure.at - start) };
  });
  return { lines, leftOut: all.length - lines.length };
}

function changeLines(
  all: readonly CollectedChange[],
  { text, texts, changes: most }: PageLimits,
): {
  readonly lines: readonly ChangeLine[];
  readonly diffs: readonly string[];
  readonly leftOut: number;
  readonly rest: number;
} {
  const places = new Map<string, number>();
  const diffs: string[] = [];
  let [room, leftOut] = [texts, 0];
  const place = (diff: string): number => {
    const known = places.get(diff);
    if (diff === '' || known !== undefined) return known ?? -1;
    const shown = cut(diff, text);
    if (shown !== diff || shown.length > room) leftOut += 1;
    if (shown.length > room) return -1;
    room -= shown.length;
    places.set(diff, diffs.length);
    return diffs.push(shown) - 1;
  };
  const lines = all
    .slice(0, most)
    .map(({ play, task, hosts, diff }) => ({ play, task, hosts: [...hosts], diff: place(diff) }));
  return { lines, diffs, leftOut, rest: all.length - lines.length };
}
