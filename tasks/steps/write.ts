import { chmod, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import type { Bundle } from '../../generators/bundle.ts';
import type { RenderedFile } from '../../generators/rendered-file.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';

export interface Written {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
}

/** What lies in a bundle's folder now: path → text, or undefined for what the old manifest lists and is gone. */
export type Present = ReadonlyMap<string, string | undefined>;

/** Writes what differs and removes what only the old manifest knows; what Playsmith did not write stays untouched. */
export async function write(bundle: Bundle, folder: string): Promise<Result<Written, Failure>> {
  try {
    const present = await readPresent(folder);
    const changed = bundle.files.filter((file) => present.get(file.path) !== file.text);
    for (const file of changed) await replace(folder, file);
    const removed = orphans(bundle, present);
    for (const path of removed) await remove(folder, path);
    return ok({
      written: changed.map(({ path }) => path),
      removed,
      unchanged: bundle.files.length - changed.length,
    });
  } catch (error) {
    return failed({ kind: 'file', message: `cannot write ${folder}: ${(error as Error).message}` });
  }
}

/** A text diff from what lies in the folder to the bundle; empty when they are the same. */
export async function compare(bundle: Bundle, folder: string): Promise<string> {
  const present = await readPresent(folder);
  const now = new Map(bundle.files.map(({ path, text }) => [path, text]));
  const paths = [...new Set([...now.keys(), ...orphans(bundle, present)])].sort();
  return paths
    .filter((path) => present.get(path) !== now.get(path))
    .map((path) =>
      createTwoFilesPatch(path, path, present.get(path) ?? '', now.get(path) ?? '', 'committed', 'rendered'),
    )
    .join('');
}

/** Every file that lies in the folder. */
export async function readPresent(folder: string): Promise<Present> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(nothingIfAbsent);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const pairs = files.map(
    async (path) => [slashed(relative(folder, path)), await readFile(path, 'utf8')] as const,
  );
  return new Map(await Promise.all(pairs));
}

/** What an earlier render left in the folder, without its manifest and without what others put there. */
export async function readRendered(folder: string): Promise<readonly RenderedFile[]> {
  const present = await readPresent(folder);
  return manifestPaths(present.get('manifest.json')).flatMap((path) => {
    const text = present.get(path);
    return text === undefined ? [] : [{ path, text, mode: '0644' as const }];
  });
}

const slashed = (path: string): string => path.split(sep).join('/');

const nothingIfAbsent = (error: unknown): [] => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw error;
};

/** What the old manifest lists, still lies there, and the new bundle lacks; never a path that leaves the folder. */
function orphans(bundle: Bundle, present: Present): string[] {
  const kept = new Set(bundle.files.map(({ path }) => path));
  return manifestPaths(present.get('manifest.json'))
    .filter((path) => !kept.has(path) && present.has(path))
    .sort();
}

function manifestPaths(text: string | undefined): string[] {
  if (text === undefined) return [];
  try {
    const { files } = JSON.parse(text) as { readonly files?: readonly { readonly path?: unknown }[] };
    return (files ?? []).flatMap(({ path }) => (typeof path === 'string' ? [path] : []));
  } catch {
    return [];
  }
}

async function replace(folder: string, { path, text, mode }: RenderedFile): Promise<void> {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true });
  const partial = `${target}.partial`;
  await writeFile(partial, text);
  await chmod(partial, Number.parseInt(mode, 8));
  await rename(partial, target);
}

async function remove(folder: string, path: string): Promise<void> {
  const target = resolve(folder, path);
  if (!target.startsWith(resolve(folder) + sep)) return;
  await rm(target);
  for (let parent = dirname(target); parent !== resolve(folder); parent = dirname(parent))
    if (
      !(await rmdir(parent).then(
        () => true,
        () => false,
      ))
    )
      return;
}
