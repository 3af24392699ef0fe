import { expect, test } from 'vitest';
import type { RunEnding } from '../../../../tasks/runtime/agent/run-records.ts';
import { verdict } from '../../../../tasks/steps/run/verdict.ts';

const ending = (longest: number, limit: number, status: RunEnding['status'] = 'successful'): RunEnding => ({
  ...{ run: 'r1', cluster: 'edge-a', playbook: 'drill-vip.yml', status, recap: {}, seconds: 60 },
  ...{ failures: [], eventsLost: 0, exitStatus: 0, tail: [] },
  results: {
    drill: {
      name: 'vip',
      limit,
      rounds: { haproxy: { what: 'HAProxy stopped', host: 'cp1', failed: 9, longest } },
    },
  },
});

test('a drill within its limit, or without one, is a success', () => {
  expect(verdict(ending(1.9, 2))).toEqual({ ok: true, value: undefined });
  expect(verdict(ending(9, 0))).toEqual({ ok: true, value: undefined });
});

test('a drill that is slower than its limit says how slow, also when it is attached to later', () => {
  const slow = verdict(ending(3.14, 2));
  expect(slow).toMatchObject({ ok: false, failure: { kind: 'slow' } });
  expect(slow.ok ? '' : slow.failure.message).toBe(
    'drill vip: clients had no answer for 3.1 s; the definition allows 2 s',
  );
});

test('a drill that failed is a failed run, however slow it was', () => {
  expect(verdict(ending(9, 2, 'failed'))).toMatchObject({ failure: { kind: 'playbook' } });
});
