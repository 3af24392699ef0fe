import { mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import process from 'node:process';

/**
 * `PLAYSMITH_CACHE`, else `$XDG_CACHE_HOME/playsmith`, else `~/.cache/playsmith`: what can be made again. An empty variable is
 * none, and the second has to be absolute, as its specification wants it: programs of the cache never come from the folder one is in.
 */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const { PLAYSMITH_CACHE: own = '', XDG_CACHE_HOME: shared = '' } = env;
  const parent = isAbsolute(shared) ? shared : join(homedir(), '.cache');
  return own === '' ? join(parent, 'playsmith') : resolve(own);
}

/**
 * Makes a folder and those above it that lack, with `mode` for what is made; throws as `mkdirSync` does. With `recursive`,
 * Node.js itself never returns below a folder in which nobody can make one, such as `/proc`: it takes that one for missing for ever.
 */
export function createFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) createFolder(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Why a file or folder of this machine cannot be read or written, in words where the disk's own are a code. */
export function diskReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? message;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'its user may not',
  EDQUOT: 'the disk quota of its user is used up',
  EISDIR: 'it is a folder',
  ELOOP: 'a link on the way leads back to itself',
  ENOENT: 'there is no such folder, and none can be made there',
  ENOSPC: 'its disk is full',
  ENOTDIR: 'a part of its path is a file',
  EPERM: 'its user may not',
  EROFS: 'its disk is read-only',
};
