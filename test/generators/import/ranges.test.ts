import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandAddresses, expandRange } from '../../../generators/import/ranges.ts';

describe('a range of names', () => {
  test.each([
    ['node1', ['node1']],
    ['node[01:03]', ['node01', 'node02', 'node03']],
    [
      'node[8:11].example.org',
      ['node8.example.org', 'node9.example.org', 'node10.example.org', 'node11.example.org'],
    ],
    ['db-[a:c]', ['db-a', 'db-b', 'db-c']],
    ['10.0.0.[1:9:4]', ['10.0.0.1', '10.0.0.5', '10.0.0.9']],
    ['r[1:2]n[1:2]', ['r1n1', 'r1n2', 'r2n1', 'r2n2']],
  ])('%s', (word, expected) => {
    expect(expandRange(word)).toEqual({ ok: true, value: expected });
  });

  test.each([
    'node[3:1]',
    'node[01:100]',
    'node[1:',
    'node[x]',
    'node[a:9]',
    'node[1:3:0]',
    'node[0:99999999]',
  ])('%s is refused', (word) => {
    expect(expandRange(word).ok).toBe(false);
  });

  test('has as many names as there are numbers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 500 }), (from, more) => {
        const found = expandRange(`n[${from}:${from + more}]`);
        expect(found.ok && found.value.length).toBe(more + 1);
      }),
    );
  });
});

describe('a range of addresses', () => {
  test('goes from the first to the last, across bytes', () => {
    expect(expandAddresses('10.90.0.254', '10.90.1.1')).toEqual({
      ok: true,
      value: ['10.90.0.254', '10.90.0.255', '10.90.1.0', '10.90.1.1'],
    });
    expect(expandAddresses('10.90.0.4', '6')).toEqual({
      ok: true,
      value: ['10.90.0.4', '10.90.0.5', '10.90.0.6'],
    });
  });

  test.each([
    ['10.90.0.6', '10.90.0.4'],
    ['10.90.0.6', 'x'],
    ['10.0.0.0', '2001:db8::1'],
    ['10.0.0.0', '11.0.0.0'],
  ])('%s-%s is refused', (from, to) => {
    expect(expandAddresses(from, to).ok).toBe(false);
  });
});
