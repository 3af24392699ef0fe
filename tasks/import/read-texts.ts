import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import type { Text } from '../../generators/source/foreign/node.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';

/** The files that were named, and those in folders that were named; called as a person would call them. */
export async function readTexts(
  paths: readonly string[],
  cwd: string,
): Promise<Result<readonly Text[], Failure>> {
  try {
    const files = (await Promise.all(paths.map((path) => filesOf(resolve(cwd, path))))).flat();
    const texts = files.map(async (path) => ({
      file: relative(cwd, path) || basename(path),
      text: await readFile(path, 'utf8'),
    }));
    return ok(await Promise.all(texts));
  } catch (error) {
    const { code, message, path } = error as NodeJS.ErrnoException;
    return failed({
      kind: 'file',
      message: code === 'ENOENT' ? `there is no file ${path ?? ''}` : message,
      next: 'npx task import --help',
    });
  }
}

async function filesOf(path: string): Promise<readonly string[]> {
  const found = await stat(path);
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => isOfInventory(relative(path, file)))
    .toSorted();
}

/** What kubespray keeps beside an inventory is secret, or was made by it. */
const isOfInventory = (path: string): boolean =>
  !/(?:^|\/)(?:credentials|artifacts|patches|\.[^/]*)(?:\/|$)/.test(path) &&
  !/\.(?:pyc?|bak|orig|retry|log)$|~$/.test(path);
