import { describe, expect, test } from 'vitest';
import { Collector } from '../../../generators/report/collector.ts';
import type { ReportEntry } from '../../../generators/report/entry.ts';
import { EventReader } from '../../../generators/report/events.ts';
import { cut, usualLimits } from '../../../generators/report/limits.ts';
import type { RunReport } from '../../../generators/report/report.ts';
import { runReport } from '../../../generators/report/run-report.ts';
import { eventsOf, type Played } from '../../support/definitions/reports.ts';

const head = {
  ...{ id: 'r', playbook: 'instantiate', status: 'successful', check: false },
  ...{ started: '', ended: '', seconds: 10, total: 2, facts: [] },
};

const reported = (entries: readonly ReportEntry[], limits = usualLimits): RunReport => {
  const collector = new Collector();
  for (const entry of entries) collector.take(entry);
  return runReport(head, collector, limits);
};

const played = (run: Played, limits = usualLimits): RunReport => {
  const reader = new EventReader();
  return reported(
    eventsOf(run).flatMap((event) => reader.read(event) ?? []),
    limits,
  );
};

const host = (name: string, at: number, more: object = {}): ReportEntry => ({
  ...{ type: 'host', at, host: name, task: 'One', id: '', status: 'ok', seconds: 0.5 },
  ...{ message: '', output: '', diff: '' },
  ...more,
});

const two: readonly ReportEntry[] = [
  { type: 'play', at: 1000, name: 'P' },
  { type: 'task', at: 1000, name: 'One', id: '', handler: false },
  host('a', 2000),
  host('b', 3000),
  host('c', 7000, { seconds: 6 }),
];

describe('what is shown of a run', () => {
  test('a task lasts to its last host, and the others waited for that one', () => {
    const { tasks, hosts, plays } = reported(two);
    expect(plays).toEqual([{ name: 'P', from: 0, to: 6000 }]);
    expect(tasks).toMatchObject([{ from: 0, to: 6000, last: 2, longest: 6000, waited: 5000 + 4000 }]);
    expect(hosts[2]).toMatchObject({ name: 'c', heldUp: 4000, busy: 6000 });
    expect(hosts[0]).toMatchObject({ name: 'a', heldUp: 0, busy: 500 });
  });

  test('a bar begins where its host did, never before its task', () => {
    const { lanes } = reported([...two, host('d', 1200, { seconds: 9 })]);
    const bars = Object.fromEntries(lanes.map(({ host: place, bars: all }) => [place, all]));
    expect(bars[0]).toEqual([[500, 1000, 0, 0, 1]]);
    expect(bars[3]).toEqual([[0, 200, 0, 0, 1]]);
  });

  test('the first failure comes first, with all hosts that failed alike', () => {
    const bad = { status: 'failed', message: 'no space' };
    const { failures } = reported([
      ...two,
      host('d', 9000, { ...bad, message: 'later' }),
      host('b', 8000, bad),
      host('a', 8500, bad),
    ]);
    expect(failures).toMatchObject([
      { message: 'no space', hosts: ['b', 'a'], at: 7000, play: 'P' },
      { message: 'later', hosts: ['d'] },
    ]);
  });

  test('hosts that changed alike share a line, and equal differences are there once', () => {
    const changed = { status: 'changed', diff: '-a\n+b\n' };
    const { changes, diffs } = reported([
      ...two.slice(0, 2),
      ...[host('a', 2000, changed), host('b', 2000, changed), host('c', 2000, { status: 'changed' })],
    ]);
    expect(diffs).toEqual(['-a\n+b\n']);
    expect(changes).toEqual([
      { task: 'One', play: 'P', hosts: [0, 1], diff: 0 },
      { task: 'One', play: 'P', hosts: [2], diff: -1 },
    ]);
  });

  test('a task that nobody ended lasts to the next one, or until now', () => {
    const { tasks } = reported([
      ...two.slice(0, 2),
      { type: 'task', at: 2500, name: 'Two', id: '', handler: false },
      { type: 'warning', at: 4000, text: 'w' },
    ]);
    expect(tasks).toMatchObject([
      { to: 1500, last: -1 },
      { from: 1500, to: 3000, last: -1 },
    ]);
  });

  test('nothing at all is a report too', () => {
    expect(reported([])).toMatchObject({ hosts: [], tasks: [], lanes: [], failures: [], leftOut: [] });
  });

  test('beyond the limits, quiet neighbours are told together, and what is left out is said', () => {
    const limits = { ...usualLimits, bars: 300, tasks: 50, texts: 40 };
    const run = { hosts: 30, tasks: 100, failsOn: 7 };
    const { tasks, lanes, leftOut, hosts } = played(run, limits);
    expect(tasks.length).toBeLessThan(100);
    expect(tasks.reduce((sum, { of }) => sum + of, 0)).toBe(100);
    const bars = lanes.flatMap(({ bars: all }) => all);
    expect(bars.length).toBeLessThanOrEqual(300);
    expect(hosts[lanes[0]?.host ?? -1]?.failed).toBe(1);
    for (const { host: place, bars: mine } of lanes)
      expect(
        mine.reduce((sum, [, , , , of]) => sum + of, 0),
        String(place),
      ).toBe(100);
    for (const [, , , task] of bars) expect(tasks[task]).toBeDefined();
    expect(leftOut.join('\n')).toMatch(
      /hosts have no lane[\s\S]*100 tasks are told in[\s\S]*differences of files/,
    );
  });

  test('a hundred thousand events become less than three megabytes', () => {
    const report = played({ hosts: 1000, tasks: 100, failsOn: 500 });
    expect(report.hosts).toHaveLength(1000);
    expect(JSON.stringify(report).length).toBeLessThan(3e6);
  });

  test('a text is cut at the end of a line, and says how much is gone', () => {
    expect(cut('one\ntwo\nthree\n', 9)).toBe('one\ntwo\n… 2 more lines');
    expect(cut('abcdef', 3)).toBe('abc\n… 3 more characters');
    expect(cut('abc', 3)).toBe('abc');
  });
});
