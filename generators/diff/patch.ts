import { createTwoFilesPatch } from 'diff';
import type { FileChange } from './files.ts';

/** A unified diff of one file as git writes it; `/dev/null` stands for the side that is missing. */
export function patch({ path, before, after }: Pick<FileChange, 'path' | 'before' | 'after'>): string {
  const from = before === undefined ? '/dev/null' : `a/${path}`;
  const to = after === undefined ? '/dev/null' : `b/${path}`;
  const text = createTwoFilesPatch(from, to, before ?? '', after ?? '', '', '', { context: 3 });
  // The line of equal signs is of no use to people, nor to `git apply`.
  return text.replace(/^=+\n/, '').replaceAll(/^(---|\+\+\+) (.*?)\t?$/gm, '$1 $2');
}
