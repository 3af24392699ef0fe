import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exposition } from '../../../generators/report/metrics.ts';
import { runMetrics, type RunHistory, type RunSample } from '../../../generators/report/run-metrics.ts';

const run = (playbook: string, ended: string | null, more: Partial<RunSample> = {}): RunSample => ({
  playbook,
  ended,
  check: false,
  whole: true,
  successful: true,
  seconds: 10,
  changed: 0,
  wrong: 0,
  ...more,
});

const shown = (more: Partial<RunHistory>): readonly string[] =>
  exposition(
    runMetrics({
      cluster: 'try',
      main: 'instantiate',
      runs: [],
      drills: [],
      certificates: [],
      lockedSince: undefined,
      ...more,
    }),
  )
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

test('the last run of each playbook tells how it ended, and the last good one when that was', () => {
  const lines = shown({
    runs: [
      run('etcd-backup', '2026-11-24T00:00:00Z'),
      run('etcd-backup', '2026-11-25T00:00:00Z', { successful: false, seconds: null }),
      run('haproxy', null),
    ],
  });
  const of = '{cluster="try",playbook="etcd-backup",mode="apply"}';
  expect(lines).toEqual([
    `playsmith_run_ended_timestamp_seconds${of} 1795564800`,
    `playsmith_run_successful${of} 0`,
    `playsmith_run_succeeded_timestamp_seconds${of} 1795478400`,
    'playsmith_runs_going_on{cluster="try"} 1',
  ]);
});

test('drift is what the last comparison of the whole cluster found', () => {
  const check = { check: true };
  const lines = shown({
    runs: [
      run('instantiate', '2026-11-25T00:00:00Z', { ...check, changed: 2, wrong: 1, successful: false }),
      run('instantiate', '2026-11-25T01:00:00Z', { ...check, whole: false }),
      run('instantiate', '2026-11-25T02:00:00Z'),
      run('haproxy', '2026-11-25T03:00:00Z', { ...check, changed: 9 }),
    ],
  }).filter((line) => line.startsWith('playsmith_drift'));
  expect(lines).toEqual([
    'playsmith_drift_hosts{cluster="try"} 2',
    'playsmith_drift_unknown_hosts{cluster="try"} 1',
    'playsmith_drift_compared_timestamp_seconds{cluster="try"} 1795564800',
  ]);
});

test('a cluster that was never compared has no metric of drift, and one without a lock none of it', () => {
  expect(shown({})).toEqual(['playsmith_runs_going_on{cluster="try"} 0']);
  expect(shown({ lockedSince: '2026-11-25T00:00:00+00:00' })).toContain(
    'playsmith_lock_since_timestamp_seconds{cluster="try"} 1795564800',
  );
});

test('whatever a label says, it stays in its quotes and on its line', () => {
  const labels = { fault: 'a "b"\\\n# TYPE x' };
  expect(exposition([{ name: 'm', help: 'one\ntwo', samples: [{ labels, value: 1.5 }] }])).toBe(
    '# HELP m one\\ntwo\n# TYPE m gauge\nm{fault="a \\"b\\"\\\\\\n# TYPE x"} 1.5\n',
  );
});

test('the page names every metric, and no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/runs.md'), 'utf8');
  const named = new Set([...page.matchAll(/playsmith_\w+/g)].map(([name]) => name));
  const history = {
    cluster: 'try',
    main: 'site',
    runs: [],
    drills: [],
    certificates: [],
    lockedSince: undefined,
  };
  expect([...named].sort()).toEqual(
    runMetrics(history)
      .map(({ name }) => name)
      .sort(),
  );
});
