import { statSync } from 'node:fs';
import { open, rm, stat, writeFile } from 'node:fs/promises';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import { diskReason } from '../../runtime/folders.ts';
import { replaceDurably } from './durable.ts';

/** Writes a file that is not there yet, unless it may be replaced; whole, or not at all. */
export async function writeNew(path: string, text: string, force: boolean): Promise<Result<void, Failure>> {
  try {
    await (force ? replace(path, text) : create(path, text));
    return ok(undefined);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return failed(alreadyThere(path));
    return failed({
      kind: 'file',
      message: `${messages[code ?? '']?.(path) ?? `${path} cannot be written: ${diskReason(error)}`}; nothing was written`,
      next: 'choose another --file, in a folder that is there and can be written to',
    });
  }
}

/** What is there is not replaced unless somebody says so, and a folder never. */
export function alreadyThere(path: string): Failure {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return {
    kind: 'file',
    message: `${path} is ${isFolder ? 'a folder' : 'there already'}; nothing was written`,
    next: isFolder ? 'name a file in it with --file' : 'choose another --file, or overwrite it with --force',
  };
}

async function create(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(text);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** What is there stays until all of the new text is; a terminal or a pipe has nothing to keep. */
async function replace(path: string, text: string): Promise<void> {
  const before = await stat(path).catch(() => undefined);
  await (before === undefined || before.isFile() ? replaceDurably(path, text) : writeFile(path, text));
}

const messages: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `there is no folder for ${path}`,
  EROFS: (path) => `${path} is on a disk that cannot be written to`,
  EACCES: (path) => `${path} may not be written`,
};
