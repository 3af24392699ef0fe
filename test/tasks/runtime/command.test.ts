import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quote, shellLine } from '../../../tasks/runtime/command.ts';

const echoed = (shell: string, words: readonly string[]): string =>
  execFileSync(shell, ['-c', `printf '%s\\0' ${words.map(quote).join(' ')}`], { encoding: 'utf8' });

const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));

describe('a quoted word', () => {
  test.each(['dash', 'bash'])('comes out of %s as it went in', (shell) => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
        expect(echoed(shell, words)).toBe(words.map((text) => `${text}\0`).join(''));
      }),
      { numRuns: 40 },
    );
  });

  test.each(['', "it's", '$HOME', '`id`', 'a b', '~', '=x', '*', '\n', '\\', '-n', '!!', "'\\''"])(
    'like %j too',
    (text) => {
      expect(echoed('dash', [text])).toBe(`${text}\0`);
    },
  );

  test('stays readable when nothing needs quoting', () => {
    expect(
      shellLine({ argv: ['ansible-playbook', '--inventory', 'inventory', 'nfs.yml'], cwd: '/srv/run 1' }),
    ).toBe("cd '/srv/run 1' && ansible-playbook --inventory inventory nfs.yml");
  });
});
