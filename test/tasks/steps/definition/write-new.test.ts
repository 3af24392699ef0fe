import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeNew } from '../../../../tasks/steps/definition/write-new.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playsmith-new-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const full = '/dev/full';

test('a disk that is full is told', async () => {
  expect(await writeNew(full, 'new', true)).toEqual({
    ok: false,
    failure: {
      kind: 'file',
      message: '/dev/full cannot be written: its disk is full; nothing was written',
      next: 'choose another --file, in a folder that is there and can be written to',
    },
  });
});

test('a file that may be replaced is so as a whole, and none is left beside it', async () => {
  const path = join(folder, 'cluster.yml');
  writeFileSync(path, 'old');
  expect(await writeNew(path, 'new', false)).toMatchObject({ ok: false });
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(await writeNew(path, 'new', true)).toEqual({ ok: true, value: undefined });
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['cluster.yml']);
});

test('a folder in its place is told', async () => {
  await mkdir(join(folder, 'cluster.yml'));
  expect(await writeNew(join(folder, 'cluster.yml'), 'new', true)).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining('it is a folder; nothing was written') as string },
  });
});
