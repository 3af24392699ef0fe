import { expect, test } from 'vitest';
import { nearest } from '../../../generators/source/nearest.ts';

const known = ['cp1.example.org', 'w1.example.org', 'w1.other.example.org', 'storage'];

test.each([
  ['cp1', 'cp1.example.org'],
  ['cp1.exmaple.org', 'cp1.example.org'],
  ['Storag', 'storage'],
  // Two are called so.
  ['w1', undefined],
  ['nobody', undefined],
])('%s was meant to be %s', (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});
