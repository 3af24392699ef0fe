import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTexts } from '../../../tasks/import/read-texts.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'texts-'));
  await mkdir(join(folder, 'empty'));
  await writeFile(join(folder, 'good.json'), '{"name": "Größe"}');
  await writeFile(join(folder, 'latin.json'), Buffer.from('{"name": "Größe"}', 'latin1'));
  await writeFile(join(folder, 'utf16.json'), Buffer.from('{}', 'utf16le'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a file in UTF-8 is read, and called as from where the task runs', async () => {
  expect(await readTexts(['good.json'], folder)).toEqual({
    ok: true,
    value: [{ file: 'good.json', text: '{"name": "Größe"}' }],
  });
});

test('all that cannot be read is told at once', async () => {
  const read = await readTexts(['none.json', 'empty', 'latin.json', 'utf16.json', 'no/such'], folder);
  expect(read.ok ? [] : read.failure.message.split('\n')).toEqual([
    'there is no file none.json',
    'there is no file in the folder empty that could be read',
    'latin.json is not UTF-8: iconv, or an editor, can write it so',
    'utf16.json is not UTF-8: iconv, or an editor, can write it so',
    'there is no file no/such',
  ]);
});
