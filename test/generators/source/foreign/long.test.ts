import { expect, test } from 'vitest';
import { readJson } from '../../../../generators/source/foreign/json.ts';

test('a text of sixteen million characters is read', () => {
  expect(readJson({ file: 'a.json', text: `{"a":"${'x'.repeat(16_000_000)}"}` }).ok).toBe(true);
});

test.each(['\u2028', '\u2029', '\u0085'])('%j may stand in a text, as JSON allows', (sign) => {
  expect(readJson({ file: 'a.json', text: `{"a":"b${sign}c"}` }).ok).toBe(true);
});

test('of a table that a client prints it is told how to get JSON', () => {
  const read = readJson({ file: 'a.json', text: '+----+\n| ID |\n+----+\n' });
  expect(read.ok ? '' : read.failure[0]?.remedy).toBe('what the same command prints with --format json');
});
