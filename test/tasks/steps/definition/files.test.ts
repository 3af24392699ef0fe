import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFiles } from '../../../../tasks/steps/definition/files.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playsmith-files-'));
  await writeFile(join(folder, 'own.yaml'), 'kind: PersistentVolume\n');
  await writeFile(join(folder, 'huge.yaml'), '');
  await truncate(join(folder, 'huge.yaml'), 2_000_000);
  execFileSync('mkfifo', [join(folder, 'pipe')]);
});

afterAll(() => rm(folder, { recursive: true }));

test('the files that a definition names are read from its folder, and why one cannot be is told', async () => {
  const text = 'storage: { manifests: [own.yaml, other.yaml, huge.yaml, ., pipe, /dev/zero] }\n';
  expect(Object.fromEntries(await readFiles(text, folder))).toEqual({
    'own.yaml': { ok: true, value: 'kind: PersistentVolume\n' },
    'other.yaml': { ok: false, failure: 'there is no file other.yaml' },
    'huge.yaml': { ok: false, failure: 'the file huge.yaml has more than 1 MB' },
    '.': { ok: false, failure: 'the file . cannot be read' },
    // Nobody writes into the one, and the other has no end.
    pipe: { ok: false, failure: 'the file pipe cannot be read' },
    '/dev/zero': { ok: false, failure: 'the file /dev/zero cannot be read' },
  });
});

// Linux alone has such a file: without a size, and without an end that anybody would wait for.
test.runIf(process.platform === 'linux')('a file without an end is not kept in memory', async () => {
  const text = 'storage: { manifests: [/proc/self/pagemap] }\n';
  expect(Object.fromEntries(await readFiles(text, folder))).toEqual({
    '/proc/self/pagemap': { ok: false, failure: 'the file /proc/self/pagemap cannot be read' },
  });
});

test('a definition that names none, or cannot be read itself, wants none', async () => {
  expect((await readFiles('a: [', folder)).size).toBe(0);
  expect((await readFiles('storage: 1\n', folder)).size).toBe(0);
});

test('a path with a wildcard stands for files in the order of their names, hidden ones and folders left out', async () => {
  await mkdir(join(folder, 'many/c.yaml'), { recursive: true });
  for (const name of ['b.yaml', 'a.yaml', 'B.yaml', '.hidden.yaml', 'a.txt'])
    await writeFile(join(folder, 'many', name), name);
  const text = "cnfs: [{ name: a, manifests: ['many/*.yaml', 'none/*.yaml'] }]\n";
  const files = await readFiles(text, folder);
  expect(files.get('many/*.yaml')).toEqual({ ok: true, value: 'many/B.yaml\nmany/a.yaml\nmany/b.yaml' });
  expect(files.get('many/a.yaml')).toEqual({ ok: true, value: 'a.yaml' });
  expect(files.get('none/*.yaml')).toEqual({ ok: false, failure: 'there is no folder none' });
});
