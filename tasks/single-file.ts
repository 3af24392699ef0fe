import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { getAsset, getRawAsset } from 'node:sea';
import { cacheFolder, createFolder } from './runtime/folders.ts';

/**
 * The start of the one file that scripts/single-file.mjs makes: it unpacks the package, as npm packs it and with the
 * packages that it needs, into the user's cache, and runs it there, where all that it reads lies where it always lies.
 */
interface PackedFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly executable: boolean;
}

const listing = getAsset('contents.json', 'utf8');
const files = JSON.parse(listing) as readonly PackedFile[];
// The listing has the digest of every file, so this is the digest of them all.
const folder = join(cacheFolder(), 'single-file', createHash('sha256').update(listing).digest('hex'));

try {
  if (!isWhole(folder)) unpack(folder);
} catch (error) {
  throw new Error(
    `this file cannot unpack itself: ${(error as Error).message}\nNext: name a folder of your own that it can write to: PLAYSMITH_CACHE=…`,
    { cause: error },
  );
}
// What an executable has in it can only ask for Node.js's own modules; a file, of which this is the first, asks for the rest.
createRequire(join(folder, 'package.json'))('./start.cjs');

/** Whether every file is there, and the folder is one that only this user can write to. */
function isWhole(target: string): boolean {
  const about = lstatSync(target, { throwIfNoEntry: false });
  if (about === undefined) return false;
  const isOurs =
    process.getuid === undefined || (about.uid === process.getuid() && (about.mode & 0o22) === 0);
  if (!isOurs) throw new Error(`${target} belongs to somebody else, or others may write to it: remove it`);
  return files.every(({ path, size }) => {
    const file = lstatSync(join(target, path), { throwIfNoEntry: false });
    return file?.isFile() === true && file.size === size;
  });
}

/** Beside the folder first, so that it is there as a whole or not at all, whoever else starts meanwhile. */
function unpack(target: string): void {
  createFolder(dirname(target), 0o700);
  const beside = mkdtempSync(`${target}.`);
  try {
    for (const { path, executable } of files) {
      const file = join(beside, path);
      createFolder(dirname(file), 0o700);
      writeFileSync(file, Buffer.from(getRawAsset(path) as ArrayBuffer), {
        mode: executable ? 0o700 : 0o600,
      });
    }
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined && !isWhole(target))
      rmSync(target, { recursive: true });
    renameSync(beside, target);
  } catch (error) {
    if (!isWhole(target)) throw error;
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}
