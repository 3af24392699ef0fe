import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson, repeatedKeys } from '../../../../generators/source/foreign/json.ts';
import { plainOf } from '../../../../generators/source/foreign/look.ts';

const read = (text: string) => readJson({ file: 'a.json', text });

const broken = (text: string): string => {
  const result = read(text);
  if (result.ok) return 'read';
  return result.failure
    .map(({ line, column, message, remedy }) => `${line}:${column} ${message} → ${remedy}`)
    .join('\n');
};

describe('JSON', () => {
  test('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const result = read(text);
        expect(result.ok && plainOf(result.value)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('may have comments, a byte order mark and line ends of Windows', () => {
    const result = read(
      '\ufeff// one\r\n{ # two\r\n  "a": 1, /* three\r\n */ "b": [true, null]\r\n}\r\n// end',
    );
    expect(result.ok && plainOf(result.value)).toEqual({ a: 1, b: [true, null] });
  });

  test('tells where each value stands', () => {
    const result = read('{\r\n  "a": [1,\r\n    "two"]\r\n}');
    const list = result.ok && result.value.kind === 'map' ? result.value.entries[0]?.value : undefined;
    expect(
      list?.kind === 'list' && list.items.map(({ place }) => [place.line, place.column, place.length]),
    ).toEqual([
      [2, 9, 1],
      [3, 5, 5],
    ]);
  });

  test.each([
    ['{"a": 1,}', '1:8 a comma before `}` is not JSON → remove the comma'],
    ['{\n  "a": 1\n  "b": 2\n}', '3:3 a comma or `}` is missing before this → , or }'],
    ['{"a": [1, 2}', '1:12 a comma or `]` is missing before this → , or ]'],
    ["{'a': 1}", '1:2 a key in double quotes belongs here → "key": value'],
    ['{"a" 1}', '1:6 a `:` is missing between key and value → :'],
    ['{"a": True}', '1:7 `True` is Python, not JSON → true'],
    [
      '{"a": "open',
      '1:7 this text has no closing quote in its line, or an escape that JSON does not know → "text"',
    ],
    ['{"a": 1', '1:7 the file ends before its `}` → , or }'],
    ['{"a": }', '1:7 this is not JSON → a value'],
    ['{} {}', '1:4 there is more text after the JSON value → one value'],
    ['', '1:1 the file ends where a value belongs → a value'],
    ['[01]', '1:2 this is not JSON → a value'],
  ])('%j is refused with its place', (text, expected) => {
    expect(broken(text)).toBe(expected);
  });

  test('that is nested without end is refused', () => {
    expect(broken('['.repeat(100_000))).toContain('nested too deep');
  });

  test('keys that stand twice are told', () => {
    const result = read('{"a": 1,\n"a": 2}');
    expect(result.ok && repeatedKeys(result.value).map(({ line, message }) => [line, message])).toEqual([
      [2, '`a` is listed twice; the last one counts'],
    ]);
  });
});
