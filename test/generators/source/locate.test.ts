import { expect, test } from 'vitest';
import { readWithWarnings } from '../../../generators/definition/reader.ts';
import { parse, type Source } from '../../../generators/source/tree.ts';
import { locate } from '../../../generators/source/locate.ts';
import { keyProblemAt, problemAt } from '../../../generators/source/finding.ts';

const sourceOf = (text: string): Source => {
  const source = parse(text, 'x.yml');
  if (!source.ok) throw new Error(JSON.stringify(source.failure));
  return source.value;
};

test('of a repeated key the last one is shown, and the value of the first', () => {
  const source = sourceOf('a: 1\nb: 2\na: 3\n');
  expect(locate(source, keyProblemAt(['a'], 'twice', 'once')).line).toBe(3);
  expect(locate(source, problemAt(['a'], 'wrong', 'right')).line).toBe(1);
});

// A look at every key for every finding takes minutes.
test('a mapping of 40,000 keys, each of them wrong, is read in seconds', () => {
  const keys = Array.from({ length: 40_000 }, (_, index) => `k${index}: 1\n`);
  const found = readWithWarnings(`kind: Cluster\n${keys.join('')}`, 'x.yml');
  expect(found.ok ? 0 : found.failure.length).toBeGreaterThan(39_999);
}, 30_000);
