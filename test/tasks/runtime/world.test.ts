import { expect, test } from 'vitest';
import { inOneLine } from '../../../tasks/runtime/world.ts';

test.each([
  ['a text\nof lines', { type: 'text', text: 'a text\nof lines' }],
  ['{ no JSON }', { type: 'text', text: '{ no JSON }' }],
  ['[1]', { type: 'text', text: '[1]' }],
  ['{\n  "a": 1\n}', { a: 1 }],
])('for programs %j is an object in one line', (text, wanted) => {
  const line = inOneLine(text);
  expect(line).not.toContain('\n');
  expect(JSON.parse(line)).toEqual(wanted);
});
