import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { python } from '../support/python.ts';

const scrubber = python(
  'from playsmith.execution.secret import Scrubber',
  'Scrubber(it["secrets"]).scrub(it["text"])',
);
const decoder = python(
  'from playsmith.dumps import dumps_in',
  '[list(bytes(dump.data)) for dump in dumps_in(it)]',
);
afterAll(() => {
  for (const program of [scrubber, decoder]) program.close();
});

const printed = (command: string, input: string): string => {
  const [program = '', ...words] = command.split(' ');
  return execFileSync(program, words, {
    input,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  });
};

const installed = (command: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(`${folder}/${command.split(' ')[0]}`));

const dumps = [
  'hexdump -C',
  'hexdump -v -C',
  'hexdump',
  'hexdump -x',
  'hexdump -b',
  'hexdump -c',
  'hexdump -d',
  'hexdump -o',
  'xxd',
  'xxd -u',
  'xxd -g 1',
  'xxd -g 4 -c 20',
  'xxd -g 8',
  'xxd -c 8 -g 1',
  'xxd -e',
  'xxd -e -g 2',
  'xxd -b',
  'xxd -p',
  'xxd -i',
  'od',
  'od -v',
  'od -c',
  'od -An -c',
  'od -a',
  'od -b',
  'od -x',
  'od -d',
  'od -i',
  'od -l',
  'od -An -tx1',
  'od -Ax -tx1z',
  'od -Ad -tx1 -w8',
  'od -tx2 --endian=big',
  'od -tx4',
  'od -tx8',
  'od -to4',
  'od -tu1',
  'od -An -tu1 -w7',
  'od -td1',
];
const codes = ['base64', 'base64 -w 20', 'base64 -w 0', 'base32', 'base32 -w 24', 'basenc --base32hex'];

/** What anybody who finds a piece of the value left in a text could still read. */
const pieces = (text: string, size: number): readonly string[] =>
  Array.from({ length: Math.max(1, text.length - size + 1) }, (_, at) => text.slice(at, at + size));

const signs = 'abcXYZ019+/ |"\\>é$\''.split('');
const value = fc
  .string({ minLength: 9, maxLength: 40, unit: fc.constantFrom(...signs) })
  .filter((text) => text.trim().length >= 8 && new Set(text.trim()).size > 3);
/** It prints no more than seven bits of a byte. */
const onlyAscii = (text: string): string => text.replaceAll('é', 'e');
const around = fc.string({ maxLength: 30, unit: fc.constantFrom(...'mnop <|~:56'.split('')) });
const ways = fc.constantFrom<(text: string) => unknown>(
  (text) => text,
  (text) => ({ stdout: text, stdout_lines: text.split('\n') }),
  (text) => `ok: [cp1] => ${JSON.stringify({ stdout: text, rc: 0 })}`,
  (text) => JSON.stringify(JSON.stringify({ stdout: text })),
);

describe.each([...dumps, ...codes])('a value among others in the output of %s', (command) => {
  // hexdump and xxd are of packages that not every machine has.
  test.skipIf(!installed(command))('is struck out', async () => {
    await fc.assert(
      fc.asyncProperty(
        command === 'od -a' ? value.map(onlyAscii) : value,
        around,
        around,
        ways,
        async (secret, before, after, way) => {
          const it = { secrets: [secret], text: way(printed(command, `${before}${secret}${after}`)) };
          const found = await scrubber.ask(it);
          expect(JSON.stringify(found)).toContain('[secret]');
          if (dumps.includes(command)) await expectUnreadable(found, secret);
        },
      ),
      { numRuns: 6 },
    );
  });
});

async function expectUnreadable(found: unknown, secret: string): Promise<void> {
  const texts = typeof found === 'string' ? [found] : [(found as { stdout: string }).stdout];
  for (const text of texts)
    for (const bytes of (await decoder.ask(text)) as number[][])
      for (const piece of pieces(secret.trim(), 8)) expect(Buffer.from(bytes).includes(piece)).toBe(false);
}

test.each(dumps.filter((command) => installed(command)))(
  'what %s prints of something else stays as it is',
  async (command) => {
    const text = printed(
      command,
      'Nothing of this is a secret: 1234 5678, "quoted" and \\escaped\n'.repeat(4),
    );
    expect(await scrubber.ask({ secrets: ['Zq7-9kLmX2'], text })).toBe(text);
  },
);

test('columns of a table that happen to be numbers stay', async () => {
  const text = 'NAME  READY  UP  AGE\na     1      1   5\n0000 1 2 3 4\ncafe 12 34 56\n0000000 0000\n';
  expect(await scrubber.ask({ secrets: ['Zq7-9kLmX2', '1 2 3', 'abcd'], text })).toContain('cafe 12 34 56');
});

test('what is shown beside the columns is struck out with them', async () => {
  const text = '00000000  6d 20 5a 71 37 2d 39 6b  4c 6d 58 32 0a  |m Zq7-9kLmX2.|\n0000000d\n';
  expect(await scrubber.ask({ secrets: ['Zq7-9kLmX2'], text })).toBe(
    '00000000  6d 20 [secret] 0a[secret]\n0000000d\n',
  );
});

test('lines that say that others are the same hide nothing', async () => {
  const secret = 'abcdefgh'.repeat(8);
  const text = '00000000: 6162 6364 6566 6768 6162 6364 6566 6768  abcdefghabcdefgh\n*\n00000040: 0a  .\n';
  expect(await scrubber.ask({ secrets: [secret], text })).toBe(
    '00000000: [secret][secret]\n*\n00000040: 0a  .\n',
  );
});
