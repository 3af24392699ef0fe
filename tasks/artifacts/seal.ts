import { lstat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import { filesBelow, formatSums, isPlainPath, sha256Of, sumsFile } from '../runtime/sums.ts';

/** What the folder holds, besides what its files tell themselves. */
export interface FolderContents {
  /** Like `1.37.2`. */
  readonly kubernetes: string;
  /** As Debian and Go name it. */
  readonly architecture: 'amd64';
  /** References of all images in `images/`. */
  readonly images: readonly string[];
  /** Where a file came from: an address, or a sentence. A file that is not named has an empty origin. */
  readonly origins: ReadonlyMap<string, string>;
  /** For whoever reads the index. */
  readonly note?: string;
}

/** What index.json says. */
export interface Index {
  readonly apiVersion: 'playsmith/v1';
  readonly kind: 'Artifacts';
  readonly kubernetes: string;
  readonly architecture: string;
  readonly images: readonly string[];
  readonly files: readonly IndexedFile[];
  readonly note?: string;
}

export interface IndexedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly origin: string;
}

export const indexFile = 'index.json';

/**
 * Writes index.json and SHA256SUMS of a folder that is complete: the same files give the same bytes. Its value is the
 * SHA-256 of SHA256SUMS, which is what a definition pins with `offline.sha256`.
 */
export async function seal(folder: string, about: FolderContents): Promise<Result<string, Failure>> {
  try {
    const paths = (await filesBelow(folder)).filter((path) => path !== indexFile && path !== sumsFile);
    const odd = paths.filter((path) => !isPlainPath(path));
    if (odd.length > 0) return failed(unsealable(folder, `odd names: ${odd.join(', ')}`));
    const files: IndexedFile[] = [];
    for (const path of paths) files.push(await examine(folder, path, about));
    await writeFile(join(folder, indexFile), indexText(about, files));
    const sums = new Map(files.map(({ path, sha256 }) => [path, sha256]));
    sums.set(indexFile, await sha256Of(join(folder, indexFile)));
    await writeFile(join(folder, sumsFile), formatSums(sums));
    return ok(await sha256Of(join(folder, sumsFile)));
  } catch (error) {
    return failed(unsealable(folder, (error as Error).message));
  }
}

async function examine(folder: string, path: string, { origins }: FolderContents): Promise<IndexedFile> {
  const found = await lstat(join(folder, path));
  if (!found.isFile()) throw new Error(`${path} is no regular file`);
  return {
    path,
    size: found.size,
    sha256: await sha256Of(join(folder, path)),
    origin: origins.get(path) ?? '',
  };
}

function indexText(
  { kubernetes, architecture, images, note }: FolderContents,
  files: readonly IndexedFile[],
): string {
  const index: Index = {
    apiVersion: 'playsmith/v1',
    kind: 'Artifacts',
    kubernetes,
    architecture,
    images: [...images].sort(),
    files,
    ...(note === undefined ? {} : { note }),
  };
  return `${JSON.stringify(index, null, 2)}\n`;
}

const unsealable = (folder: string, why: string): Failure => ({
  kind: 'file',
  message: `cannot seal the artifacts in ${folder}: ${why}`,
});
