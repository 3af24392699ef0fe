import type { Cluster } from '../cluster/cluster.ts';
import { inlineText } from '../markdown.ts';
import { compareClusters } from './clusters.ts';
import { compareFiles, type FileChange } from './files.ts';
import { count, foldedWithin, listedWithin, picturesWithin, roomOfRest } from './markdown.ts';
import { patch } from './patch.ts';
import type { RenderedFile } from '../rendered-file.ts';

/** The clusters that the files were rendered from, where they are known. */
export interface Origins {
  readonly oldCluster?: Cluster;
  readonly newCluster?: Cluster;
}

/** What a change means, in words first and then as text; empty when the files are the same. */
export function explainDiff(
  oldFiles: readonly RenderedFile[],
  newFiles: readonly RenderedFile[],
  origins: Origins = {},
): string {
  const changes = compareFiles(oldFiles, newFiles);
  if (changes.length === 0) return '';
  const sections = [words(origins), listing(changes), changes.map(patch).join('\n')];
  return sections.filter((section) => section !== '').join('\n');
}

/**
 * The same for a merge request, as Markdown: the words, both pictures where they differ, and the differences folded
 * away. Empty when the files are the same. Differences of files that would make it longer than `limit` characters are
 * left out, and their files named.
 */
export function explainInMarkdown(
  oldFiles: readonly RenderedFile[],
  newFiles: readonly RenderedFile[],
  { oldCluster, newCluster }: Origins = {},
  limit = Number.POSITIVE_INFINITY,
): string {
  const changes = compareFiles(oldFiles, newFiles);
  if (changes.length === 0) return '';
  const name = newCluster?.name ?? oldCluster?.name ?? '';
  const sections = [
    `## Cluster${name === '' ? '' : ` ${name}`}: ${count(changes.length, 'file')} of the bundle change`,
  ];
  const add = (section: (room: number) => string): void => {
    const text = section(limit - sections.join('\n\n').length - roomOfRest);
    if (text !== '') sections.push(text);
  };
  if (oldCluster && newCluster) {
    add((room) => listedWithin(sentencesOf(oldCluster, newCluster).map(inlineText), room / 2));
    add((room) => picturesWithin(oldCluster, newCluster, room));
  }
  add((room) => foldedWithin(changes, room));
  return `${sections.join('\n\n')}\n`;
}

const sentencesOf = (before: Cluster, after: Cluster): readonly string[] => {
  const sentences = compareClusters(before, after);
  return sentences.length > 0 ? sentences : [nothingInWords];
};

const nothingInWords = 'no change that can be summarized; see the files';

function words({ oldCluster, newCluster }: Origins): string {
  if (oldCluster === undefined || newCluster === undefined) return '';
  return withTitle('In words', sentencesOf(oldCluster, newCluster));
}

const listing = (changes: readonly FileChange[]): string =>
  withTitle(
    'Files',
    changes.map(({ kind, path }) => `${kind.padEnd('changed'.length)}  ${path}`),
  );

const withTitle = (title: string, lines: readonly string[]): string =>
  `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`;
