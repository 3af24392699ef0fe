import { randomBytes } from 'node:crypto';
import { chmod, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import type { Bundle } from '../../../generators/bundle.ts';
import type { RenderedFile } from '../../../generators/rendered-file.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import { createFolder, diskReason } from '../../runtime/folders.ts';
import { manifestPaths, readPresent, type PresentFiles } from './present.ts';

export interface WriteSummary {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
}

/** Writes what differs and removes what only the old manifest knows; what Playsmith did not write stays untouched. */
export async function write(bundle: Bundle, folder: string): Promise<Result<WriteSummary, Failure>> {
  const found = await readPresent(folder);
  if (!found.ok) return found;
  const present = found.value;
  try {
    const changed: RenderedFile[] = [];
    for (const file of bundle.files)
      if (present.get(file.path) !== file.text || (await isRunnable(folder, file)) !== (file.mode === '0755'))
        changed.push(file);
    const removed = [...orphans(bundle, present), ...(await staleFiles(bundle, folder, present))].sort();
    for (const file of changed.filter(isContent)) await replace(folder, file);
    for (const path of removed) await remove(folder, path);
    // The last of all: whoever is stopped before it finds by the old one what is still to be removed.
    for (const file of changed.filter((each) => !isContent(each))) await replace(folder, file);
    return ok({
      written: changed.map(({ path }) => path),
      removed,
      unchanged: bundle.files.length - changed.length,
    });
  } catch (error) {
    return failed({
      kind: 'file',
      message: `cannot write ${folder}: ${diskReason(error)}`,
      next: 'name another --output, or render again once it can be written: what is there already is not written twice',
    });
  }
}

const isContent = ({ path }: RenderedFile): boolean => path !== 'manifest.json';

/** What a render left that was killed while it wrote; not of one that may be at work. */
async function staleFiles(bundle: Bundle, folder: string, present: PresentFiles): Promise<readonly string[]> {
  const paths = new Set([...bundle.files.map(({ path }) => path), ...manifestPaths(present)]);
  const found: string[] = [];
  for (const path of present.keys()) {
    const [, target] = /^(.+?)(?:\.[\da-f]{8})?\.partial$/.exec(path) ?? [];
    if (target === undefined || !paths.has(target)) continue;
    // Who is at work may have given it its name since.
    const { mtimeMs } = await stat(join(folder, path)).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > atWork) found.push(path);
  }
  return found;
}

const atWork = 60_000;

/** How a folder differs from a bundle. */
export interface Comparison {
  /** A text diff from what lies in the folder to the bundle; empty when they are the same. */
  readonly diff: string;
  /** Files that no render put there: they are in no bundle, but Ansible reads some of them when it is run by hand. */
  readonly strangers: readonly string[];
}

export async function compare(bundle: Bundle, folder: string): Promise<Result<Comparison, Failure>> {
  const found = await readPresent(folder);
  if (!found.ok) return found;
  const present = found.value;
  const now = new Map(bundle.files.map(({ path, text }) => [path, text]));
  const paths = [...new Set([...now.keys(), ...orphans(bundle, present)])].sort();
  const diff = paths
    .filter((path) => present.get(path) !== now.get(path))
    .map((path) =>
      createTwoFilesPatch(path, path, present.get(path) ?? '', now.get(path) ?? '', 'committed', 'rendered'),
    )
    .join('');
  return ok({ diff, strangers: [...present.keys()].filter((path) => !paths.includes(path)).sort() });
}

/** What the old manifest lists, still lies there, and the new bundle lacks; never a path that leaves the folder. */
function orphans(bundle: Bundle, present: PresentFiles): string[] {
  const kept = new Set(bundle.files.map(({ path }) => path));
  return manifestPaths(present)
    .filter((path) => !kept.has(path) && present.has(path))
    .sort();
}

/** Of a file's mode git keeps one bit, so that is what may have been lost. */
const isRunnable = async (folder: string, { path }: RenderedFile): Promise<boolean> =>
  ((await stat(join(folder, path))).mode & 0o100) !== 0;

async function replace(folder: string, { path, text, mode }: RenderedFile): Promise<void> {
  const target = join(folder, path);
  createFolder(dirname(target));
  // Of its own: two renders at once would write into one another's.
  const partial = `${target}.${randomBytes(4).toString('hex')}.partial`;
  try {
    await writeFile(partial, text);
    await chmod(partial, Number.parseInt(mode, 8));
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function remove(folder: string, path: string): Promise<void> {
  const target = resolve(folder, path);
  if (!target.startsWith(resolve(folder) + sep)) return;
  // Two renders at once remove the same.
  await rm(target, { force: true });
  for (let parent = dirname(target); parent !== resolve(folder); parent = dirname(parent))
    if (
      !(await rmdir(parent).then(
        () => true,
        () => false,
      ))
    )
      return;
}
