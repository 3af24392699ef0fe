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
      message: code === 'EEXIST' ? `${path} is there already; nothing was written` : message,
      next: 'choose another --file, or overwrite it with --force',
    });
  }
}
