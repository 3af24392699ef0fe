import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { archive } from '../../../tasks/runtime/archive.ts';
import { bundleOf } from '../../support/definitions/bundles.ts';

const { files } = bundleOf({ 'site.yml': '---\n', 'files/check.sh': '#!/bin/sh\n', 'ü ☃': '\u2028' });

test('the same files give the same bytes, now and later', async () => {
  expect((await archive(files)).equals(await archive(files))).toBe(true);
});

test('tar reads path, mode and text', async () => {
  const tar = (...options: string[]): string =>
    execFileSync('tar', [...options], { input: packed, encoding: 'utf8' });
  const packed = await archive(files);
  expect(tar('-tvz', '--full-time', '--utc')).toMatch(
    /-rwxr-xr-x 0\/0 +10 1970-01-01 00:00:00 files\/check.sh\n-rw-r--r-- 0\/0/,
  );
  expect(tar('-xzO', 'ü ☃')).toBe('\u2028');
});
