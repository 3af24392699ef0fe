import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Text } from '../../generators/source/foreign/node.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import { decodeUtf8 } from '../../generators/source/utf8.ts';

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

/** As Ansible reads an inventory: with a file that is named alone come the folders of variables beside it. */
export async function readInventoryTexts(
  paths: readonly string[],
  cwd: string,
): Promise<Result<readonly Text[], Failure>> {
  const beside = await Promise.all(paths.map((path) => variablesBeside(path, cwd)));
  const read = await readTexts([...paths, ...beside.flat()], cwd);
  if (!read.ok) return read;
  const named = new Set(paths.map((path) => relative(cwd, resolve(cwd, path))));
  const texts = read.value.map((each) => (named.has(each.file) ? { ...each, isNamed: true as const } : each));
  return ok([...new Map(texts.map((each) => [each.file, each])).values()]);
}

async function variablesBeside(path: string, cwd: string): Promise<readonly string[]> {
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  if (found?.isFile() !== true || /(?:^|\/)(?:group|host)_vars\//.test(path)) return [];
  const folders = ['group_vars', 'host_vars'].map((name) => join(dirname(path), name));
  const files = await Promise.all(folders.map((folder) => filesOf(resolve(cwd, folder)).catch(orNothing)));
  return folders.filter((_, index) => files[index]?.length !== 0);
}

/** What keeps a folder from being read is told when it is read; one that is not there is none. */
const orNothing = ({ code, path = '' }: NodeJS.ErrnoException): readonly string[] =>
  code === 'ENOENT' && /(?:group|host)_vars$/.test(path) ? [] : [path];

/** The texts of a file or a folder, or all that keeps it from being read. */
async function textsIn(path: string, cwd: string): Promise<Result<readonly Text[], readonly string[]>> {
  try {
    const named = await stat(resolve(cwd, path));
    if (named.isCharacterDevice() || named.isBlockDevice())
      return failed([`${path} is a device, and no file`]);
    const files = await filesOf(resolve(cwd, path));
    const all = await Promise.all(files.map(async (each) => ({ each, bytes: await readFile(each) })));
    const read = all
      .filter(({ each, bytes }) => !named.isDirectory() || isText(each, bytes))
      .map(({ each, bytes }) => ({ file: relative(cwd, each) || basename(each), ...decodeUtf8(bytes) }));
    if (read.length === 0) return failed([nothingIn(path)]);
    const strange = read.flatMap(({ file, wrong }) => (wrong === '' ? [] : [`${file} ${wrong}`]));
    return strange.length > 0 ? failed(strange) : ok(read.map(({ file, text }) => ({ file, text })));
  } catch (error) {
    const { code, message, path: at = '' } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') return failed([message]);
    const link = at === resolve(cwd, path) ? '' : relative(cwd, at);
    return failed([link === '' ? `there is no file ${path}` : `there is nothing behind the link ${link}`]);
  }
}

const nothingIn = (path: string): string => `there is no file in the folder ${path} that could be read`;

/** Pictures, packages and the like that lie in a folder say nothing; what is named as a text, or as nothing, may. */
const isText = (file: string, bytes: Uint8Array): boolean =>
  !bytes.includes(0) || /(?:^|\/)[^/.]+$|\.(?:ya?ml|json|ini|cfg|conf|txt|j2)$/i.test(file);

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
