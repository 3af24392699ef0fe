import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Collector } from '../../../generators/report/collector.ts';
import { EventReader, type RunnerEvent } from '../../../generators/report/events.ts';
import type { ReportEntry } from '../../../generators/report/entry.ts';

const data = { host: 'cp1', task: 'Join', task_uuid: 'u1', task_action: 'ansible.builtin.command' };

const read = (...events: readonly RunnerEvent[]): ReportEntry[] => {
  const reader = new EventReader();
  return events.flatMap((event) => reader.read({ created: '2026-11-22T00:26:36.500000', ...event }) ?? []);
};

describe('events of ansible-runner as entries', () => {
  test('a time without a zone is of UTC', () => {
    expect(read({ event: 'playbook_on_play_start', event_data: { name: 'One' } })).toEqual([
      { type: 'play', at: Date.parse('2026-11-22T00:26:36.500Z'), name: 'One' },
    ]);
  });

  test('a task that is announced for each host is one, and another in the next batch', () => {
    const play = { event: 'playbook_on_play_start', event_data: { name: 'One' } };
    const begins = {
      event: 'playbook_on_task_start',
      event_data: { name: 'Leave nodes alone', task_uuid: 'u2' },
    };
    const kinds = read(play, begins, begins, begins, play, begins).map(({ type }) => type);
    expect(kinds).toEqual(['play', 'task', 'play', 'task']);
  });

  test('whatever a host answered, or a disk made of it, is an entry with texts and numbers, or none', () => {
    const anything = fc.jsonValue({ maxDepth: 1, depthSize: 'xsmall' });
    const keys = ['host', 'task', 'task_uuid', 'name', 'task_action', 'duration', 'res'];
    const res = fc.dictionary(
      fc.constantFrom('msg', 'results', 'stdout', 'stderr', 'rc', 'cmd', 'failed', 'censored'),
      fc.oneof(anything, fc.array(fc.record({ failed: fc.boolean(), msg: anything }))),
    );
    const event = fc.dictionary(
      fc.constantFrom('stdout', 'created', 'event_data'),
      fc.oneof(anything, fc.dictionary(fc.constantFrom(...keys), fc.oneof(anything, res))),
    );
    const kind = fc.constantFrom(
      ...['playbook_on_play_start', 'playbook_on_task_start', 'runner_on_file_diff', 'warning'],
      ...['runner_on_ok', 'runner_on_failed', 'runner_on_unreachable', 'runner_on_skipped'],
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, event), { maxLength: 3 }), (all) => {
        const entries = read(...all.map(([name, each]) => ({ ...each, event: name })));
        const collected = new Collector();
        for (const entry of entries) collected.take(entry);
        const kinds: Readonly<Record<string, string>> = {
          at: 'number',
          seconds: 'number',
          handler: 'boolean',
        };
        return entries
          .flatMap((entry) => Object.entries(entry))
          .every(([key, value]) => typeof value === (kinds[key] ?? 'string'));
      }),
    );
  });

  test('a difference belongs to the end of the task on its host that follows', () => {
    const entries = read(
      { event: 'runner_on_file_diff', stdout: '\r\n-a\r\n+b\r\n', event_data: data },
      { event: 'runner_on_ok', event_data: { ...data, host: 'cp2', res: { changed: true } } },
      { event: 'runner_on_ok', event_data: { ...data, duration: 1.5, res: { changed: true } } },
    );
    expect(entries).toMatchObject([
      { host: 'cp2', status: 'changed', diff: '' },
      { host: 'cp1', status: 'changed', diff: '-a\n+b\n', seconds: 1.5 },
    ]);
  });

  test.each([
    [{ msg: 'no such file' }, 'no such file', ''],
    [
      { msg: 'non-zero return code', rc: 2, cmd: 'false', stderr: 'it broke' },
      'non-zero return code\nit broke',
      '$ false\nit broke\nexit status 2',
    ],
    [
      { msg: 'One or more items failed', results: [{ failed: true, item: 'b', msg: 'bad' }, { item: 'c' }] },
      'b: bad',
      '',
    ],
    [{ censored: 'hidden', stdout: 'secret' }, 'The task hides its output (no_log)', ''],
  ])('a failure with %j says why', (res, message, output) => {
    expect(read({ event: 'runner_on_failed', event_data: { ...data, res } })).toMatchObject([
      { status: 'failed', message, output },
    ]);
  });

  test('a failure that is ignored is none, and a task of debug or fail speaks', () => {
    const ignored = { ...data, ignore_errors: true, res: { msg: 'x' } };
    const speech = { ...data, task_action: 'ansible.builtin.debug', res: { msg: 'hello' } };
    const refusal = { ...speech, task_action: 'ansible.builtin.fail', res: { changed: true, msg: 'held' } };
    expect(
      read(
        { event: 'runner_on_failed', event_data: ignored },
        { event: 'runner_on_ok', event_data: speech },
        { event: 'runner_on_ok', event_data: refusal },
        { event: 'runner_on_start', event_data: data },
      ),
    ).toMatchObject([
      { status: 'ignored' },
      { status: 'ok', message: 'hello' },
      { status: 'changed', message: 'held' },
    ]);
  });
});
