import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Files } from '../../generators/definition/files.ts';
import { filesNamed } from '../../generators/definition/reader.ts';
import { failed, ok, type Result } from '../../generators/result.ts';

/** Reads the files that a definition names; relative paths start at `folder`, that of the definition. */
export const readFiles = (text: string, folder: string): Promise<Files> =>
  filesBy(text, (path) => fromDisk(path, folder));

/** The same from wherever `read` finds them. */
export async function filesBy(
  text: string,
  read: (path: string) => Promise<Result<string, string>>,
): Promise<Files> {
  const paths = filesNamed(text);
  const found = await Promise.all(paths.map(async (path) => [path, await read(path)] as const));
  return new Map(found);
}

async function fromDisk(path: string, folder: string): Promise<Result<string, string>> {
  const full = path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(folder, path);
  try {
    const { size } = await stat(full);
    if (size > mostBytes) return failed(`the file ${path} has more than 1 MB`);
    return ok(await readFile(full, 'utf8'));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return failed(isMissing ? `there is no file ${path}` : `the file ${path} cannot be read`);
  }
}

/** What goes to every run and is shown to people stays small. */
const mostBytes = 1_000_000;
