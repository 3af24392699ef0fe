import { readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from './package.ts';

/**
 * The stack of an error with places in our sources, although the files that run are put together from many. The maps are
 * read only here: to have Node.js follow them would cost every command what a definition costs.
 */
export async function readableStack(error: unknown): Promise<string> {
  if (!(error instanceof Error) || error.stack === undefined) return String(error);
  const lines = error.stack.split('\n').map(readableLine);
  return (await Promise.all(lines)).join('\n');
}

async function readableLine(line: string): Promise<string> {
  const found = /file:\/\/[^\s():]+\.js(?=:\d+:\d+)/.exec(line);
  if (found === null) return line;
  const [url] = found;
  const [place, row = '', column = ''] = /^:(\d+):(\d+)/.exec(line.slice(found.index + url.length)) ?? [''];
  const source = await sourceOf(fileURLToPath(url), { row: Number(row), column: Number(column) });
  return source === undefined ? line : line.replace(`${url}${place}`, source);
}

async function sourceOf(
  file: string,
  { row, column }: { readonly row: number; readonly column: number },
): Promise<string | undefined> {
  const text = await readFile(`${file}.map`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const entry = new SourceMap(JSON.parse(text) as SourceMapPayload).findEntry(row - 1, column - 1);
  if (!('originalSource' in entry)) return undefined;
  const source = relative(packageRoot, resolve(dirname(file), entry.originalSource));
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}
