import nodeModule from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from './folders.ts';

/** Node.js from 22.1 on. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/**
 * Lets Node.js keep what it compiles of this package, where it can. In the user's own cache: whoever could write there
 * could also change what runs, and Node.js's own choice is a folder in /tmp.
 */
export function keepCompiled(): void {
  (nodeModule as CompileCache).enableCompileCache?.(join(cacheFolder(), 'compiled'));
}
