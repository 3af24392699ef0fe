import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable } from '../../../tasks/runtime/printable.ts';

test('keeps text, its lines and its tabs', () => {
  expect(printable('Zürich 東京 👩‍👩‍👧\r\n\tdown\n')).toBe('Zürich 東京 👩‍👩‍👧\n\tdown\n');
});

test.each([
  ['a colour', '\u001b[31mred\u001b[0m', 'red'],
  ['a title', '\u001b]0;title\u0007x', 'x'],
  ['a sequence inside another', '\u001b\u001b[2J[2Jx', '[2Jx'],
  ['a line that is written over', 'failed\rok', 'failedok'],
  ['a direction that turns', 'a\u202eb', 'ab'],
  ['marks of direction', 'a\u200eb\u200fc\u061cd', 'abcd'],
  ['what has no width', 'a\u200bb\u2060c\ufeffd', 'abcd'],
  ['letters of tags', 'ok\u{e0041}\u{e007f}', 'ok'],
])('leaves out %s', (_, text, expected) => {
  expect(printable(text)).toBe(expected);
});

test('leaves nothing that moves a cursor, whatever comes', () => {
  const nasty = fc.string({
    unit: fc.constantFrom('\u001b', '\u009b', '[', ']', '2', 'J', '\r', '\b', ';', '\u0007', 'x'),
  });
  fc.assert(
    fc.property(nasty, (text) => {
      expect(printable(text)).toMatch(/^[[\]2J;x]*$/);
    }),
  );
});
