import { posix } from 'node:path';
import { fitsPattern, isPattern } from '../generators/definition/cnf/sources.ts';
import type { Files } from '../generators/definition/files.ts';
import { filesNamed } from '../generators/definition/reader.ts';
import { ok } from '../generators/result.ts';

/** Texts by their paths → what the definition finds; of a path with `*` the list of those that fit, sorted by their bytes. */
export function filesBeside(text: string, texts: Readonly<Record<string, string>>): Files {
  const lists = filesNamed(text)
    .filter(isPattern)
    .map((pattern) => [pattern, ok(fitting(pattern, Object.keys(texts)).join('\n'))] as const);
  return new Map([...Object.entries(texts).map(([path, each]) => [path, ok(each)] as const), ...lists]);
}

const fitting = (pattern: string, paths: readonly string[]): readonly string[] =>
  paths
    .filter(
      (path) =>
        posix.dirname(path) === posix.dirname(pattern) &&
        fitsPattern(posix.basename(path), posix.basename(pattern)),
    )
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
