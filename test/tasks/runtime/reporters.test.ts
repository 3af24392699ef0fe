import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { expect, test, vi } from 'vitest';
import type { Event } from '../../../tasks/runtime/events.ts';
import { Progress } from '../../../tasks/runtime/progress.ts';
import { reporter } from '../../../tasks/runtime/reporters.ts';

const run: readonly Event[] = [
  { type: 'run-started', run: 'r1', playbook: 'site', plays: 1, tasks: 2, check: false },
  { type: 'play-started', name: 'Do it', counter: 1 },
  { type: 'task-started', name: 'First', number: 1, total: 2, handler: false, counter: 2 },
  {
    type: 'host-finished',
    host: 'a',
    task: 'First',
    status: 'changed',
    message: '',
    diff: '',
    seconds: 1,
    counter: 3,
  },
  {
    type: 'host-finished',
    host: 'b',
    task: 'First',
    status: 'failed',
    message: 'no such thing',
    diff: '',
    seconds: 1,
    counter: 4,
  },
  { type: 'task-started', name: 'Second', number: 2, total: 2, handler: false, counter: 5 },
  {
    type: 'host-finished',
    host: 'a',
    task: 'Second',
    status: 'ok',
    message: 'two of two',
    diff: '-x\n+y\n',
    seconds: 1,
    counter: 6,
  },
  {
    type: 'run-finished',
    run: 'r1',
    status: 'failed',
    recap: { a: { ok: 2, changed: 1, failed: 0, unreachable: 0, skipped: 0, rescued: 0, ignored: 0 } },
    seconds: 3,
  },
];

function told(
  options: { json: boolean; quiet: boolean },
  events: readonly Event[],
): { out: string; err: string } {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const { report } = reporter({ ...options, isTerminal: false });
    for (const event of events) report(event);
    const text = (calls: readonly unknown[][]): string => calls.map(([piece]) => String(piece)).join('');
    return { out: text(out.mock.calls), err: text(err.mock.calls) };
  } finally {
    vi.restoreAllMocks();
  }
}

test('without a terminal a run is plain lines on standard error: each task once, faults at once', () => {
  const { out, err } = told({ json: false, quiet: false }, run);
  expect(out).toBe('');
  expect(
    err
      .replaceAll(/\(\d+\.\d s\)/g, '(t)')
      .trim()
      .split('\n'),
  ).toEqual([
    'run r1: site, 1 plays, 2 tasks',
    '== Do it',
    '  failed b: no such thing',
    '[1/2] First: 1 changed, 1 failed (t)',
    '  ok a: two of two',
    '    -x',
    '    +y',
    '[2/2] Second: 1 ok (t)',
    '  a: ok=2 changed=1',
    'failed after 3.0 s',
  ]);
});

test('a play that takes turns has one heading for those that it passes over', () => {
  const turn = (name: string): Event => ({ type: 'play-started', name, counter: 1 });
  const pass = (number: number): Event => ({
    ...{ type: 'task-started', name: 'End here', number, total: 9, handler: false, counter: 2 },
  });
  const [, , first, finished] = run;
  const events = [turn('A'), pass(1), turn('A'), pass(2), turn('A'), first, finished, turn('A'), turn('B')];
  const { err } = told(
    { json: false, quiet: false },
    events.filter((event) => event !== undefined),
  );
  expect(
    err
      .replace(/\(\d+\.\d s\)/, '(t)')
      .trim()
      .split('\n'),
  ).toEqual(['== A', '[1/2] First: 1 changed (t)', '== A', '== B']);
});

test('parts of a task are told where their role changes, each with its number', () => {
  const names = ['first', 'etcd : One', 'etcd : Two', 'download : Get', 'etcd : Three'];
  const parts = names.map((name, index) => ({
    ...{ type: 'part-started' as const, name, number: index + 1, counter: 3 + index },
  }));
  const { err } = told({ json: false, quiet: false }, [...run.slice(0, 3), ...parts]);
  expect(err.trimEnd().split('\n').slice(-3)).toEqual(['     2 etcd', '     4 download', '     5 etcd']);
});

test('with --json each event is one line on standard output, a failure with its exit code', () => {
  const failure: Event = { type: 'failed', failure: { kind: 'cancelled', message: 'm' } };
  const { out, err } = told({ json: true, quiet: false }, [...run, failure]);
  expect(err).toBe('');
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);
  expect(lines.slice(0, -1)).toEqual(run);
  expect(lines.at(-1)).toEqual({ ...failure, exitCode: 22 });
});

test('quiet keeps warnings and failures', () => {
  const { err } = told({ json: false, quiet: true }, [...run, { type: 'warning', text: 'careful' }]);
  expect(err).toBe('warning: careful\n');
});

test('what happens while a person is asked is shown after the answer', () => {
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { report, hold, release } = reporter({ json: false, quiet: false, isTerminal: true });
  hold();
  report({ type: 'note', text: 'meanwhile' });
  expect(err).not.toHaveBeenCalled();
  release();
  expect(err).toHaveBeenCalledWith('meanwhile\n');
  vi.restoreAllMocks();
});

test('what a server says cannot move the cursor of the reader', () => {
  const { err } = told({ json: false, quiet: false }, [
    { type: 'failed', failure: { kind: 'cancelled', message: 'evil \u001b[2J text' } },
  ]);
  expect(err).toBe('error: evil  text\n');
});

test('lines of a host are told from our own by where they begin', () => {
  const message = 'broken\n[2/2] Second: 3 ok (1.0 s)\n\nsuccessful after 9.0 s\n';
  const event = { type: 'host-finished', host: 'b', task: 'First', status: 'failed', message } as const;
  const { err } = told({ json: false, quiet: false }, [{ ...event, diff: '', seconds: 1, counter: 4 }]);
  expect(err).toBe('  failed b: broken\n    [2/2] Second: 3 ok (1.0 s)\n\n    successful after 9.0 s\n');
});

test('a terminal has one status line that fits its width and is wiped before anything else is written', () => {
  const written: string[] = [];
  const stream = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk.toString());
        done();
      },
    }),
    { isTTY: true, columns: 20 },
  ) as unknown as WriteStream;
  const progress = new Progress(stream, true);
  const [started, , task] = run;
  const finished = run.at(-1);
  if (!started || task?.type !== 'task-started' || !finished) throw new Error('no such run');
  progress.follow(started);
  progress.begin(task);
  progress.write('a line');
  progress.follow(finished);
  const drawn = written.filter((text) => text.includes('task 1 of 2'));
  expect(drawn).toHaveLength(1);
  expect(drawn[0]?.replace('\r\u001b[K', '').length).toBeLessThan(20);
  expect(written.at(-1)).toBe('\r\u001b[K');
});
