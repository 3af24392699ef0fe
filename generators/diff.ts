import type { Cluster } from './cluster.ts';
import { compareClusters } from './diff/clusters.ts';
import { compareFiles, type FileChange } from './diff/files.ts';
import { patch } from './diff/patch.ts';
import type { RenderedFile } from './rendered-file.ts';

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

function words({ oldCluster, newCluster }: Origins): string {
  if (oldCluster === undefined || newCluster === undefined) return '';
  const sentences = compareClusters(oldCluster, newCluster);
  return titled(
    'In words',
    sentences.length > 0 ? sentences : ['the cluster stays as it is; only its playbooks change'],
  );
}

const listing = (changes: readonly FileChange[]): string =>
  titled(
    'Files',
    changes.map(({ kind, path }) => `${kind.padEnd('changed'.length)}  ${path}`),
  );

const titled = (title: string, lines: readonly string[]): string =>
  `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`;
