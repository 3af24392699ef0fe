import { mkdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';

/** `PLAYSMITH_CACHE`, else `$XDG_CACHE_HOME/playsmith`, else `~/.cache/playsmith`: what can be made again. */
export const cacheFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  resolve(env['PLAYSMITH_CACHE'] ?? join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'playsmith'));

/**
 * Makes a folder and those above it that lack, with `mode` for what is made; throws as `mkdir` does. With `recursive`, Node.js
 * itself never returns below a folder in which nobody can make one, such as `/proc`: it takes that one for missing for ever.
 */
export async function createFolder(path: string, mode = 0o777): Promise<void> {
  if (await isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) await createFolder(above, mode);
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    // Another process may have made it meanwhile.
    if (!(await isFolder(path))) throw error;
  });
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
