import { expect, test } from 'vitest';
import { conformanceLines, conformanceOf } from '../../../generators/report/conformance.ts';

const results = {
  conformance: {
    ...{ version: 'v1.37.2', passed: 61, failed: ['one', 'two'], seconds: 600, chosen: 63 },
    reasons: { one: 'timed out while waiting for a pod', two: 5 },
  },
};

test('a judgement is a sentence, and each test that failed with what it said', () => {
  const found = conformanceOf(results);
  expect(found && conformanceLines(found)).toEqual([
    'conformance of v1.37.2: 61 tests passed, 2 failed, in 10 minutes',
    'failed: one',
    '  timed out while waiting for a pod',
    'failed: two',
  ]);
});

test.each([
  [undefined],
  [{}],
  [{ conformance: 'passed' }],
  [{ conformance: { version: 1, passed: '2', failed: [] } }],
])('what is none is taken for none: %j', (each) => {
  expect(conformanceOf(each)).toBeUndefined();
});
