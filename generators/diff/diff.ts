import type { Cluster } from '../cluster/cluster.ts';
import { compareClusters } from './clusters.ts';
import { compareFiles, type FileChange } from './files.ts';
import { folded, inlineText, listed, pictures } from './markdown.ts';
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
 * away. Empty when the files are the same.
 */
export function explainInMarkdown(
  oldFiles: readonly RenderedFile[],
  newFiles: readonly RenderedFile[],
  { oldCluster, newCluster }: Origins = {},
): string {
  const changes = compareFiles(oldFiles, newFiles);
  if (changes.length === 0) return '';
  const sentences = oldCluster && newCluster ? sentencesOf(oldCluster, newCluster) : [];
  const count = `${changes.length} file${changes.length === 1 ? '' : 's'}`;
  return [
    `## Cluster ${newCluster?.name ?? oldCluster?.name ?? ''}: ${count} of the bundle change`.replace(
      ' : ',
      ': ',
    ),
    listed(sentences.map(inlineText)),
    oldCluster && newCluster ? pictures(oldCluster, newCluster) : '',
    changes.map(folded).join('\n\n'),
  ]
    .filter((section) => section !== '')
    .join('\n\n')
    .concat('\n');
}

const sentencesOf = (before: Cluster, after: Cluster): readonly string[] => {
  const sentences = compareClusters(before, after);
  return sentences.length > 0 ? sentences : [unchanged];
};

const unchanged = 'nothing that is put in words changes: the files tell the rest';

function words({ oldCluster, newCluster }: Origins): string {
  if (oldCluster === undefined || newCluster === undefined) return '';
  return titled('In words', sentencesOf(oldCluster, newCluster));
}

const listing = (changes: readonly FileChange[]): string =>
  titled(
    'Files',
    changes.map(({ kind, path }) => `${kind.padEnd('changed'.length)}  ${path}`),
  );

const titled = (title: string, lines: readonly string[]): string =>
  `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`;
