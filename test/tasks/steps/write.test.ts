import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RenderedFile } from '../../../generators/rendered-file.ts';
import { compare, readRendered, write } from '../../../tasks/steps/write.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playsmith-write-'));
});

afterEach(() => rm(folder, { recursive: true }));

const file = (path: string, text = `${path}\n`, mode: RenderedFile['mode'] = '0644'): RenderedFile => ({
  path,
  text,
  mode,
});

const bundle = (...files: readonly RenderedFile[]) => ({
  cluster: 'c',
  digest: 'd',
  files: [...files, file('manifest.json', JSON.stringify({ files: files.map(({ path }) => ({ path })) }))],
});

describe('write', () => {
  test('writes what differs, with its mode, and leaves the rest alone', async () => {
    await write(bundle(file('a.yml'), file('deep/down/b.sh', 'b\n', '0755')), folder);
    const again = await write(
      bundle(file('a.yml', 'changed\n'), file('deep/down/b.sh', 'b\n', '0755')),
      folder,
    );
    expect(again).toEqual({ ok: true, value: { written: ['a.yml'], removed: [], unchanged: 2 } });
    expect((await stat(join(folder, 'deep/down/b.sh'))).mode & 0o777).toBe(0o755);
    expect(await readFile(join(folder, 'a.yml'), 'utf8')).toBe('changed\n');
  });

  test('removes its own orphans and their empty folders, and nobody else’s files', async () => {
    await write(bundle(file('old/x.yml'), file('kept.yml')), folder);
    await writeFile(join(folder, 'notes.txt'), 'mine');
    const written = await write(bundle(file('kept.yml')), folder);
    expect(written).toMatchObject({ ok: true, value: { removed: ['old/x.yml'] } });
    expect((await readdir(folder)).sort()).toEqual(['kept.yml', 'manifest.json', 'notes.txt']);
  });

  test('never follows a manifest out of the folder', async () => {
    const inside = join(folder, 'bundle');
    await mkdir(inside);
    await writeFile(join(folder, 'precious'), 'mine');
    await writeFile(
      join(inside, 'manifest.json'),
      JSON.stringify({ files: [{ path: '../precious' }, { path: 7 }] }),
    );
    await write(bundle(file('a.yml')), inside);
    expect(await readFile(join(folder, 'precious'), 'utf8')).toBe('mine');
  });

  test('says which folder it cannot write', async () => {
    await writeFile(join(folder, 'file'), '');
    const written = await write(bundle(file('a.yml')), join(folder, 'file', 'below'));
    expect(written).toMatchObject({ ok: false, failure: { kind: 'file' } });
  });
});

describe('compare', () => {
  test('is empty for what was written, and a diff for every other state', async () => {
    const wanted = bundle(file('a.yml'), file('b.yml'));
    expect(await compare(wanted, join(folder, 'nothing'))).toContain('+a.yml');
    await write(wanted, folder);
    expect(await compare(wanted, folder)).toBe('');
    await rm(join(folder, 'a.yml'));
    await writeFile(join(folder, 'b.yml'), 'edited by hand\n');
    const diff = await compare(wanted, folder);
    expect(diff).toContain('+a.yml');
    expect(diff).toContain('-edited by hand');
  });

  test('shows a file that a fresh render would remove', async () => {
    await write(bundle(file('a.yml'), file('gone.yml')), folder);
    expect(await compare(bundle(file('a.yml')), folder)).toContain('-gone.yml');
  });
});

test('what an earlier render left is read back without its manifest', async () => {
  await write(bundle(file('a.yml')), folder);
  await writeFile(join(folder, 'notes.txt'), 'mine');
  expect(await readRendered(folder)).toEqual([file('a.yml')]);
});
