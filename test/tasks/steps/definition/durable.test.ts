import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceFile } from '../../../../tasks/steps/definition/replace-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playsmith-durable-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('a file that is given a new text keeps its mode', async () => {
  const path = join(folder, 'cluster.yml');
  writeFileSync(path, 'old');
  chmodSync(path, 0o600);
  expect(await replaceFile(path, 'new')).toMatchObject({ ok: true });
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['cluster.yml']);
});

test('a link to a file stays a link, and the file gets the text', async () => {
  writeFileSync(join(folder, 'real.yml'), 'old');
  symlinkSync('real.yml', join(folder, 'cluster.yml'));
  expect(await replaceFile(join(folder, 'cluster.yml'), 'new')).toMatchObject({ ok: true });
  expect(lstatSync(join(folder, 'cluster.yml')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'real.yml'), 'utf8')).toBe('new');
});

test('what cannot be written leaves what was there, and nothing beside it', async () => {
  expect(await replaceFile(join(folder, 'gone', 'cluster.yml'), 'new')).toMatchObject({
    ok: false,
    failure: { kind: 'file' },
  });
  expect(readdirSync(folder)).toEqual([]);
});
