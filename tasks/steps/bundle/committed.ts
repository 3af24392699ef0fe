import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Bundle } from '../../../generators/bundle.ts';
import { git } from './git.ts';
import { lastLines } from '../../runtime/program.ts';

/** The commit that a checkout stands on. */
export interface Head {
  readonly commit: string;
  /** The root of the checkout, without links on the way. */
  readonly root: string;
}

/** Of the checkout that the file lies in; undefined where there is none, or no commit yet. */
export async function headOf(file: string): Promise<Head | undefined> {
  const cwd = await realpath(dirname(resolve(file)));
  const [commit, root] = await Promise.all([
    git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], cwd),
    git(['rev-parse', '--show-toplevel'], cwd),
  ]);
  if (!commit.ok || !root.ok) return undefined;
  return { commit: commit.value.stdout.trim(), root: await realpath(root.value.stdout.replace(/\n$/, '')) };
}

/**
 * How what will run differs from the commit: each path with the reason. The bytes are compared with the commit's blobs: the index and
 * filters say what git shall believe of the working copy, and may say anything.
 */
export async function differences(
  head: Head,
  {
    bundle,
    folder,
    definition,
  }: { readonly bundle: Bundle; readonly folder: string; readonly definition: string },
): Promise<readonly string[]> {
  const place = await realpath(folder);
  const file = await placeOf(definition);
  const wanted = [
    { path: treePath(head, file), bytes: await readFile(definition) },
    ...bundle.files.map(({ path, text }) => ({
      path: treePath(head, join(place, path)),
      bytes: Buffer.from(text),
    })),
  ];
  const outside = [file, place].filter((path) => treePath(head, path) === undefined);
  if (outside.length > 0)
    return outside.map((path) => `${path}: it lies outside of the checkout ${head.root}`);
  const entries = await entriesOf(head, [treePath(head, file) ?? '', treePath(head, place) ?? '']);
  if (typeof entries === 'string') return [entries];
  return wanted.flatMap(({ path = '', bytes }) => {
    const reason = difference(entries.get(path), bytes);
    return reason === '' ? [] : [`${path}: ${reason}`];
  });
}

/** The file's own name is kept: a link in its place is not what was reviewed. */
export const placeOf = async (file: string): Promise<string> =>
  join(await realpath(dirname(resolve(file))), basename(file));

/** As the commit names it; undefined outside of the checkout. */
export function treePath({ root }: Head, path: string): string | undefined {
  const found = relative(root, path);
  return found === '..' || found.startsWith(`..${sep}`) ? undefined : found.split(sep).join('/');
}

interface TreeEntry {
  readonly mode: string;
  readonly object: string;
}

/** Files of the commit at or below the paths, or why they cannot be read. */
async function entriesOf(
  { commit, root }: Head,
  paths: readonly string[],
): Promise<ReadonlyMap<string, TreeEntry> | string> {
  const listed = await git(['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...paths], root);
  if (!listed.ok) return lastLines(listed.failure, 1);
  const lines = listed.value.stdout.split('\0').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [what = '', path = ''] = splitOnce(line, '\t');
      const [mode = '', , object = ''] = what.split(' ');
      return [path, { mode, object }];
    }),
  );
}

const splitOnce = (text: string, at: string): readonly string[] => {
  const found = text.indexOf(at);
  return [text.slice(0, found), text.slice(found + 1)];
};

/** A file's mode is not compared: git keeps one bit of it, and the manifest, which is compared, lists them all. */
function difference(entry: TreeEntry | undefined, bytes: Buffer): string {
  if (entry === undefined) return 'it is not in the commit';
  if (entry.mode === '120000') return 'it is a symbolic link in the commit';
  if (!entry.mode.startsWith('100')) return 'it is no file in the commit';
  return blobName(bytes, entry.object.length) === entry.object ? '' : 'it differs from the commit';
}

const blobName = (bytes: Buffer, length: number): string =>
  createHash(length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
