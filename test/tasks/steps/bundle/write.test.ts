import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RenderedFile } from '../../../../generators/rendered-file.ts';
import { readRendered } from '../../../../tasks/steps/bundle/present.ts';
import { compare, write } from '../../../../tasks/steps/bundle/write.ts';

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
    expect(written).toMatchObject({
      ok: false,
      failure: {
        kind: 'file',
        message: `cannot read ${join(folder, 'file', 'below')}: a part of its path is a file`,
      },
    });
  });

  test('takes away what one that was killed left half-written, and not what another writes now', async () => {
    await write(bundle(file('a.yml'), file('deep/b.sh')), folder);
    const names = [
      'a.yml.partial',
      'deep/b.sh.0123abcd.partial',
      'own.partial',
      'manifest.json.0123abcd.partial',
    ];
    for (const name of names) await writeFile(join(folder, name), 'half');
    for (const name of names.slice(0, 3)) await utimes(join(folder, name), 0, 0);
    const written = await write(bundle(file('a.yml'), file('deep/b.sh')), folder);
    expect(written).toMatchObject({ ok: true, value: { removed: names.slice(0, 2) } });
    expect((await readdir(folder)).filter((name) => name.endsWith('partial')).sort()).toEqual([
      'manifest.json.0123abcd.partial',
      'own.partial',
    ]);
  });

  test('leaves nothing half-written where it cannot go on, and the old manifest until all else is done', async () => {
    await write(bundle(file('gone.yml'), file('z.yml')), folder);
    await mkdir(join(folder, 'y.yml'));
    const failing = await write(bundle(file('x.yml'), file('y.yml')), folder);
    expect(failing.ok).toBe(false);
    expect((await readdir(folder)).sort()).toEqual(['gone.yml', 'manifest.json', 'x.yml', 'y.yml', 'z.yml']);
    await rm(join(folder, 'y.yml'), { recursive: true });
    const whole = await write(bundle(file('x.yml'), file('y.yml')), folder);
    expect(whole).toMatchObject({ ok: true, value: { removed: ['gone.yml', 'z.yml'] } });
  });

  test('stands beside another one', async () => {
    for (let round = 0; round < 20; round++) {
      const files = Array.from({ length: 40 }, (_, index) => file(`f${index}.yml`, `round: ${round}\n`));
      const renders = Array.from({ length: 3 }, async (_, late) => {
        await setTimeout(late * 3);
        return write(bundle(...files), folder);
      });
      expect((await Promise.all(renders)).map(({ ok }) => ok)).toEqual([true, true, true]);
      expect(await readdir(folder)).toHaveLength(41);
    }
  });
});

async function diffOf(wanted: ReturnType<typeof bundle>, where: string): Promise<string> {
  const compared = await compare(wanted, where);
  if (!compared.ok) throw new Error(compared.failure.message);
  return compared.value.diff;
}

describe('a symbolic link', () => {
  test.each([
    ['the folder', 'bundle'],
    ['a folder below', 'bundle/inventory'],
    ['a file', 'bundle/known_hosts'],
  ])('in place of %s is refused, and nothing is written behind it', async (_, link) => {
    await mkdir(join(folder, 'elsewhere'));
    await writeFile(join(folder, 'elsewhere/known_hosts'), 'mine');
    if (link !== 'bundle') await mkdir(join(folder, 'bundle'));
    const target = link.endsWith('known_hosts') ? 'elsewhere/known_hosts' : 'elsewhere';
    await symlink(join(folder, target), join(folder, link));
    const wanted = bundle(file('known_hosts'), file('inventory/known_hosts'));
    for (const outcome of [
      await write(wanted, join(folder, 'bundle')),
      await compare(wanted, join(folder, 'bundle')),
    ])
      expect(outcome).toMatchObject({ ok: false, failure: { kind: 'file' } });
    expect(await readFile(join(folder, 'elsewhere/known_hosts'), 'utf8')).toBe('mine');
  });
});

describe('compare', () => {
  test('names a folder that is a file, and files that no render put there', async () => {
    await write(bundle(file('a.yml')), folder);
    await mkdir(join(folder, 'group_vars'));
    await writeFile(join(folder, 'group_vars/all.yml'), 'x: 1');
    expect(await compare(bundle(file('a.yml')), folder)).toEqual({
      ok: true,
      value: { diff: '', strangers: ['group_vars/all.yml'] },
    });
    expect(await compare(bundle(file('a.yml')), join(folder, 'a.yml'))).toMatchObject({
      ok: false,
      failure: { kind: 'file' },
    });
  });

  test('is empty for what was written, and a diff for every other state', async () => {
    const wanted = bundle(file('a.yml'), file('b.yml'));
    expect(await diffOf(wanted, join(folder, 'nothing'))).toContain('+a.yml');
    await write(wanted, folder);
    expect(await diffOf(wanted, folder)).toBe('');
    await rm(join(folder, 'a.yml'));
    await writeFile(join(folder, 'b.yml'), 'edited by hand\n');
    const diff = await diffOf(wanted, folder);
    expect(diff).toContain('+a.yml');
    expect(diff).toContain('-edited by hand');
  });

  test('shows a file that a fresh render would remove', async () => {
    await write(bundle(file('a.yml'), file('gone.yml')), folder);
    expect(await diffOf(bundle(file('a.yml')), folder)).toContain('-gone.yml');
  });
});

test('what an earlier render left is read back without its manifest', async () => {
  await write(bundle(file('a.yml')), folder);
  await writeFile(join(folder, 'notes.txt'), 'mine');
  expect(await readRendered(folder)).toEqual({ ok: true, value: [file('a.yml')] });
});
