import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import type { Text } from '../../generators/source/foreign/node.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';

/** The files that were named, and those in folders that were named; called as a person would call them. */
export async function readTexts(
  paths: readonly string[],
  cwd: string,
): Promise<Result<readonly Text[], Failure>> {
  const found = await Promise.all(paths.map((path) => textsIn(path, cwd)));
  const failures = found.flatMap((each) => (each.ok ? [] : each.failure));
  if (failures.length > 0)
    return failed({ kind: 'file', message: failures.join('\n'), next: 'npx task import --help' });
  return ok(found.flatMap((each) => (each.ok ? each.value : [])));
}

/** The texts of a file or a folder, or all that keeps it from being read. */
async function textsIn(path: string, cwd: string): Promise<Result<readonly Text[], readonly string[]>> {
  try {
    const files = await filesOf(resolve(cwd, path));
    if (files.length === 0) return failed([`there is no file in the folder ${path} that could be read`]);
    const read = await Promise.all(
      files.map(async (each) => ({
        file: relative(cwd, each) || basename(each),
        ...decodeUtf8(await readFile(each)),
      })),
    );
    const strange = read.flatMap(({ file, wrong }) => (wrong === '' ? [] : [`${file} ${wrong}`]));
    return strange.length > 0 ? failed(strange) : ok(read.map(({ file, text }) => ({ file, text })));
  } catch (error) {
    const { code, message, path: at = '' } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') return failed([message]);
    const link = at === resolve(cwd, path) ? '' : relative(cwd, at);
    return failed([link === '' ? `there is no file ${path}` : `there is nothing behind the link ${link}`]);
  }
}

/** What is in a file, or what is wrong with it: something else than a text, like UTF-16 or a package of a VNF as a whole. */
function decodeUtf8(bytes: Uint8Array): { readonly text: string; readonly wrong: string } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return { text, wrong: '' };
  } catch {
    // What it is instead is told below.
  }
  const isArchive = archives.some((start) => start.every((byte, index) => bytes[index] === byte));
  const wrong = isArchive
    ? 'is an archive: unpack it, and name the files or the folder'
    : 'is not UTF-8: iconv, or an editor, can write it so';
  return { text: '', wrong };
}

/** How files of zip, gzip, xz and zstd begin. */
const archives = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x1f, 0x8b],
  [0xfd, 0x37, 0x7a, 0x58, 0x5a],
  [0x28, 0xb5, 0x2f, 0xfd],
];

/** All files of a folder, also behind links, as Ansible follows them; a link to a folder around it is passed over. */
async function filesOf(path: string): Promise<readonly string[]> {
  const found = await stat(path);
  if (!found.isDirectory()) return [path];
  const files = await filesBelow(path, '', [await realpath(path)]);
  return files.toSorted();
}

async function filesBelow(root: string, inside: string, around: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(join(root, inside))) {
    const path = join(inside, name);
    if (!isOfInventory(path)) continue;
    const real = await realpath(join(root, path));
    const kind = await stat(real);
    if (kind.isFile()) found.push(join(root, path));
    else if (kind.isDirectory() && !around.includes(real))
      found.push(...(await filesBelow(root, path, [...around, real])));
  }
  return found;
}

/** What kubespray keeps beside an inventory is secret, or was made by it. */
const isOfInventory = (path: string): boolean =>
  !/(?:^|\/)(?:credentials|artifacts|patches|\.[^/]*)(?:\/|$)/.test(path) &&
  !/\.(?:pyc?|bak|orig|retry|log)$|~$/.test(path);
