import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

/** `PLAYSMITH_CACHE`, else `$XDG_CACHE_HOME/playsmith`, else `~/.cache/playsmith`: what can be made again. */
export const cacheFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  resolve(env['PLAYSMITH_CACHE'] ?? join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'playsmith'));
