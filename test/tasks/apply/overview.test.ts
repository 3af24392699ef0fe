import { expect, test } from 'vitest';
import type { Plan } from '../../../generators/plan/plan.ts';
import { nothingApplied, type Fact } from '../../../generators/plan/applied.ts';
import { show } from '../../../tasks/apply/overview.ts';
import type { LockHolder } from '../../../tasks/runtime/agent/messages.ts';
import type { Event } from '../../../tasks/runtime/events.ts';

const plan: Plan = { cluster: 'c', before: '', after: 'x', steps: [], unneeded: [], refused: [] };
const fact: Fact = {
  run: 'r1',
  operation: 'haproxy',
  targets: [],
  bundle: 'x',
  effect: { brings: ['haproxy'], touches: [], enters: [], leaves: [], each: false, version: '' },
  status: 'running',
  recap: {},
};
const holder: LockHolder = { who: 'ada', since: 'now', what: 'haproxy', run: 'r1', alive: true };

function warned(lock: LockHolder | null): string {
  const events: Event[] = [];
  const life = { applied: nothingApplied, digest: '', unfinished: fact, journal: undefined, lock };
  show(
    { plan, id: 'p', life },
    { json: false, print: () => undefined, report: (event) => events.push(event) },
  );
  return events.map((event) => (event.type === 'warning' ? event.text : '')).join('');
}

test('tells a run that goes on from one that did not complete', () => {
  expect(warned(holder)).toContain('is running');
  for (const lock of [null, { ...holder, alive: false }, { ...holder, run: 'r2' }])
    expect(warned(lock)).toContain('did not complete');
});
