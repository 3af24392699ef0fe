import { expect, test } from 'vitest';
import { drillLines, drillOf, tooSlow } from '../../../generators/report/drill.ts';

const round = {
  what: 'HAProxy stopped on the holder of the address',
  ...{ host: 'cp1', witness: 'worker1', asked: 900, failed: 38, longest: 1.94, held: 21, by: 'run' },
  ...{ answered: true, recovered: 2.3 },
};
const results = {
  drill: { name: 'vip', limit: 2, rounds: { keepalived: { ...round, longest: 3.06 }, haproxy: round } },
};

test('results of a playbook that is no drill, or say something else, are none', () => {
  for (const other of [undefined, null, {}, { drill: 'vip' }, { drill: { name: 'vip' } }, { drill: [] }])
    expect(drillOf(other)).toBeUndefined();
});

test('values of another kind than they should be count as nothing', () => {
  expect(drillOf({ drill: { name: 'vip', rounds: { haproxy: { longest: '9', by: 'x' } } } })).toMatchObject({
    limit: 0,
    rounds: [{ fault: 'haproxy', longest: 0, by: 'run', answered: false }],
  });
});

test('a round is too slow when it is slower than the limit, and never without one', () => {
  const drill = drillOf(results);
  expect(drill && tooSlow(drill).map(({ fault }) => fault)).toEqual(['keepalived']);
  expect(drill && tooSlow({ ...drill, limit: 0 })).toEqual([]);
});

test('each round is told in one sentence, beside the same one of the last time', () => {
  const drill = drillOf(results);
  const before = drillOf({ drill: { ...results.drill, rounds: { haproxy: { ...round, longest: 2.5 } } } });
  expect(drill && drillLines(drill, before)).toEqual([
    'HAProxy stopped on the holder of the address (cp1): 1.9 s without an answer, 38 of 900 requests failed; last time 2.5 s; limit 2.0 s; reverted after 21 s; whole again 2.3 s later',
    'HAProxy stopped on the holder of the address (cp1): 3.1 s without an answer, 38 of 900 requests failed; limit 2.0 s; reverted after 21 s; whole again 2.3 s later',
  ]);
  const calm = drillOf({
    drill: { name: 'vip', limit: 0, rounds: { haproxy: { ...round, failed: 0, longest: 0, by: 'host' } } },
  });
  expect(calm && drillLines(calm)).toEqual([
    'HAProxy stopped on the holder of the address (cp1): no request of 900 failed; reverted after 21 s by the host itself; whole again 2.3 s later',
  ]);
});
