import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The file that names every other file of the folder, in the form of sha256sum. */
export const sumsFile = 'SHA256SUMS';

/** SHA-256 of a file as hex, read in pieces. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

/** Path → hex digest, as SHA256SUMS says it. A line that is none, or a path that leaves the folder, is skipped: its file is then a stranger. */
export const parseSums = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, digest, path] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? [];
      return digest !== undefined && path !== undefined && isPlainPath(path) ? [[path, digest]] : [];
    }),
  );

/** The text of SHA256SUMS, sorted by path. */
export const formatSums = (sums: ReadonlyMap<string, string>): string =>
  [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, digest]) => `${digest}  ${path}\n`)
    .join('');

/** A path below the folder that sha256sum writes as it is, and that means the same to every tool. */
export const isPlainPath = (path: string): boolean =>
  /^[A-Za-z0-9][\w.+~-]*(?:\/[A-Za-z0-9][\w.+~-]*)*$/.test(path);

/** Paths of everything below a folder that is no folder, sorted. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** SHA-256 of what is in memory, as hex. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
