import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../../tasks/runtime/folders.ts';

describe('a folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'playsmith-folders-'));
  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  it('is made with those above it, in the mode that is asked for, by several at once', async () => {
    const deep = join(root, 'a/b/c');
    await Promise.all([
      createFolder(deep, 0o700),
      createFolder(deep, 0o700),
      createFolder(join(root, 'a'), 0o700),
    ]);
    expect(['a', 'a/b', 'a/b/c'].map((path) => modeOf(join(root, path)))).toEqual([0o700, 0o700, 0o700]);
  });

  it('that is there stays as it is', async () => {
    await createFolder(join(root, 'a/b'), 0o755);
    expect(modeOf(join(root, 'a/b'))).toBe(0o700);
  });

  it('below a file, or where nobody can make one, is an error and no wait without end', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    await expect(createFolder(join(file, 'x/y'))).rejects.toMatchObject({ code: 'EEXIST', path: file });
    await expect(createFolder(file)).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(createFolder('/proc/playsmith/playbooks')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
