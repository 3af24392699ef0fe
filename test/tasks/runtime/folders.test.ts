import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { cacheFolder, createFolder } from '../../../tasks/runtime/folders.ts';
import { program } from '../../../tasks/runtime/program.ts';

describe('the cache', () => {
  const own = join(homedir(), '.cache/playsmith');

  it.each([
    [{}, own],
    [{ XDG_CACHE_HOME: '/x' }, '/x/playsmith'],
    [{ XDG_CACHE_HOME: '/x', PLAYSMITH_CACHE: '/c' }, '/c'],
    [{ PLAYSMITH_CACHE: '' }, own],
    [{ XDG_CACHE_HOME: '' }, own],
    [{ XDG_CACHE_HOME: 'build', PLAYSMITH_CACHE: '' }, own],
  ])('with %j is in %s, never in the folder one is in', (env, expected) => {
    expect(cacheFolder(env)).toBe(expected);
  });
});

describe('a folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'playsmith-folders-'));
  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  it('is made with those above it, in the mode that is asked for', () => {
    const deep = join(root, 'a/b/c');
    createFolder(deep, 0o700);
    expect(['a', 'a/b', 'a/b/c'].map((path) => modeOf(join(root, path)))).toEqual([0o700, 0o700, 0o700]);
  });

  it('is made by several processes at once', async () => {
    const { outputFiles } = await build({
      entryPoints: ['tasks/runtime/folders.ts'],
      ...{ bundle: true, write: false, platform: 'node', format: 'cjs', globalName: 'folders' },
      footer: {
        js: `for (let i = 0; i < 300; i++) module.exports.createFolder(process.argv[1] + '/' + i + '/a/b/c');`,
      },
    });
    const at = join(root, 'shared');
    const words = ['--eval', outputFiles[0]?.text ?? '', at];
    const ran = await Promise.all([1, 2, 3].map(() => program([process.execPath, ...words])));
    expect(ran.map((each) => (each.ok ? 'made' : each.failure.stderr))).toEqual(['made', 'made', 'made']);
    expect(modeOf(join(at, '299/a/b/c'))).toBe(0o755);
  });

  it('that is there stays as it is', () => {
    createFolder(join(root, 'a/b'), 0o755);
    expect(modeOf(join(root, 'a/b'))).toBe(0o700);
  });

  it('below a file, or where nobody can make one, is an error and no wait without end', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(() => {
      createFolder(join(file, 'x/y'));
    }).toThrow(expect.objectContaining({ code: 'EEXIST', path: file }));
    expect(() => {
      createFolder(file);
    }).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    expect(() => {
      createFolder('/proc/playsmith/playbooks');
    }).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });
});
