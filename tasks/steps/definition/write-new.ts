import { writeFile } from 'node:fs/promises';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';

/** Writes a file that is not there yet, unless it may be replaced. */
export async function writeNew(path: string, text: string, force: boolean): Promise<Result<void, Failure>> {
  try {
    await writeFile(path, text, { flag: force ? 'w' : 'wx' });
    return ok(undefined);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return failed({
      kind: 'file',
      message: messages[code ?? '']?.(path) ?? message,
      next:
        code === 'EEXIST'
          ? 'choose another --file, or overwrite it with --force'
          : 'choose another --file, in a folder that is there and can be written to',
    });
  }
}

const messages: Readonly<Record<string, (path: string) => string>> = {
  EEXIST: (path) => `${path} is there already; nothing was written`,
  ENOENT: (path) => `there is no folder for ${path}; nothing was written`,
  EROFS: (path) => `${path} is on a disk that cannot be written to; nothing was written`,
  EACCES: (path) => `${path} may not be written; nothing was written`,
};
