import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { chartOf, fitsPattern, isChartKey, isPattern } from '../../../generators/definition/cnf/sources.ts';
import type { Files } from '../../../generators/definition/files.ts';
import { filesNamed } from '../../../generators/definition/reader.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { renderChart } from './chart.ts';

/** How files that a definition names are found. */
export interface Finder {
  readonly read: (path: string) => Promise<Result<string, string>>;
  /** Names of the files in a folder, as it is written in the definition. */
  readonly list: (folder: string) => Promise<Result<readonly string[], string>>;
  /** Absolute, or undefined where charts cannot be rendered. */
  readonly folder: string | undefined;
}

/** Reads the files that a definition names; relative paths start at `folder`, that of the definition. */
export const readFiles = (text: string, folder: string): Promise<Files> =>
  filesBy(text, {
    read: (path) => fromDisk(path, folder),
    list: (path) => listFiles(path, folder),
    folder,
  });

/** The same from wherever they are found. Of a path with `*` also its list: one path a line, sorted by their bytes. */
export async function filesBy(text: string, finder: Finder): Promise<Files> {
  const found = new Map<string, Result<string, string>>();
  const keys = filesNamed(text);
  await Promise.all(
    keys.map(async (key) => {
      if (!isPattern(key)) found.set(key, await single(key, finder));
      else for (const [path, each] of await several(key, finder)) found.set(path, each);
    }),
  );
  return found;
}

async function single(key: string, { read, folder }: Finder): Promise<Result<string, string>> {
  if (!isChartKey(key)) return read(key);
  const chart = chartOf(key);
  return folder === undefined
    ? failed(`the chart ${chart.chart} is rendered only from the folder of the definition`)
    : renderChart(chart, folder);
}

async function several(
  pattern: string,
  { read, list }: Finder,
): Promise<readonly (readonly [string, Result<string, string>])[]> {
  const folder = dirname(pattern);
  const names = await list(folder);
  if (!names.ok) return [[pattern, names]];
  const paths = names.value
    .filter((name) => fitsPattern(name, basename(pattern)))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((name) => (folder === '.' && !pattern.startsWith('./') ? name : `${folder}/${name}`));
  const texts = await Promise.all(paths.map(async (path) => [path, await read(path)] as const));
  return [[pattern, ok(paths.join('\n'))], ...texts];
}

const fullPath = (path: string, folder: string): string =>
  path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(folder, path);

async function listFiles(path: string, folder: string): Promise<Result<readonly string[], string>> {
  try {
    const entries = await readdir(fullPath(path, folder), { withFileTypes: true });
    return ok(entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name));
  } catch {
    return failed(`there is no folder ${path}`);
  }
}

async function fromDisk(path: string, folder: string): Promise<Result<string, string>> {
  const full = fullPath(path, folder);
  try {
    const found = await stat(full);
    // A device or a pipe may never end.
    if (!found.isFile()) return failed(`the file ${path} cannot be read`);
    if (found.size > mostBytes) return failed(`the file ${path} has more than 1 MB`);
    return ok(await readFile(full, 'utf8'));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return failed(isMissing ? `there is no file ${path}` : `the file ${path} cannot be read`);
  }
}

/** What goes to every run and is shown to people stays small. */
const mostBytes = 1_000_000;
