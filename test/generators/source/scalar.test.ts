import { describe, expect, test } from 'vitest';
import { fromVersion11, readPlain } from '../../../generators/source/scalar.ts';

describe('an unquoted scalar that YAML 1.1 and 1.2 read differently is a trap', () => {
  // What PyYAML 6 makes of each.
  test.each([
    ['yes', 'true'],
    ['Off', 'false'],
    ['022', 'the number 18'],
    ['-022', 'the number -18'],
    ['0o14', 'a string'],
    ['0b11', 'the number 3'],
    ['1_000', 'the number 1000'],
    ['1_000.5', 'the number 1000.5'],
    ['22:22', 'the number 1342'],
    ['190:20:30.15', 'the number 685230.15'],
    ['1:2:3:4:5:6:7:8', 'the number 2895057742028'],
    ['2024-01-02', 'a date'],
    ['2024-1-2 3:04:05', 'a date'],
    ['1e3', 'a string'],
    ['1.5e3', 'a string'],
    ['+.5', 'a string'],
    ['0x_1F', 'the number 31'],
    ['08', 'a string'],
    ['=', 'a special key'],
    ['<<', 'a special key'],
  ])('%s, which is %s to PyYAML', (source, older) => {
    expect(readPlain(source).trap?.means).toContain(`\`${source}\` is ${older} in YAML 1.1`);
  });
});

test.each([
  ['1.10', '`1.10` is read as the number 1.1'],
  ['1.0', '`1.0` is read as the number 1'],
  ['5.', '`5.` is read as the number 5'],
  [
    '12345678901234567890',
    '`12345678901234567890` is too large for a number here: it would become 12345678901234567000',
  ],
])('%s would be written as another number', (source, means) => {
  expect(readPlain(source).trap?.means).toBe(means);
});

describe('all else means the same to both', () => {
  test.each([
    ['true', true],
    ['FALSE', false],
    ['~', null],
    ['', null],
    ['null', null],
    ['0', 0],
    ['6443', 6443],
    ['+12', 12],
    ['0x1F', 31],
    ['1.5', 1.5],
    ['1.5e+3', 1500],
    ['.inf', Infinity],
    ['yEs', 'yEs'],
    ['y', 'y'],
    ['1.34.1', '1.34.1'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['192.0.2.1', '192.0.2.1'],
    ['fd00::1', 'fd00::1'],
    ['1:99', '1:99'],
    ['200ms', '200ms'],
  ])('%s', (source, value) => {
    expect(readPlain(source)).toEqual({ value });
  });
});

test('what PyYAML reads is said in the words of YAML 1.2', () => {
  const said = ['no', 'On', '0644', '1_000', '1:30:00', '1e3', '2024-01-02', '=', 'v1', '5', '.inf'].map(
    (each) => {
      const { text, isText } = fromVersion11(each);
      return isText ? JSON.stringify(text) : text;
    },
  );
  expect(said.join(' ')).toBe('false true 420 1000 5400 "1e3" "2024-01-02" "=" v1 5 .inf');
});
