import type { Cluster } from '../cluster/cluster.ts';
import { kindOf } from '../kinds/kinds.ts';
import { topologyChart } from '../topology/mermaid.ts';
import type { FileChange } from './files.ts';
import { patch } from './patch.ts';

/** Sentences as a list of Markdown. */
export const listed = (sentences: readonly string[]): string =>
  sentences.map((sentence) => `- ${sentence}`).join('\n');

/** A sentence of plain text whose signs Markdown and HTML would read. */
export const inlineText = (text: string): string =>
  text.replaceAll(/[\\`*_[\]<>|~]/g, (sign) => `\\${sign}`).replaceAll('\n', ' ');

/** The topology before and after as Mermaid; empty when it is the same. */
export function pictures(before: Cluster, after: Cluster): string {
  const [old = '', now = ''] = [before, after].map((cluster) => {
    const topology = kindOf(cluster).topology?.(cluster);
    return topology === undefined ? '' : topologyChart(topology).join('\n');
  });
  if (old === now || old === '' || now === '') return '';
  return `### Topology before\n\n${fenced('mermaid', old)}\n\n### Topology after\n\n${fenced('mermaid', now)}`;
}

/** The difference of one file, folded away under its name. */
export const folded = (change: FileChange): string =>
  `<details><summary>${change.kind}: <code>${change.path}</code></summary>\n\n${fenced('diff', patch(change).trimEnd())}\n\n</details>`;

/** A fence that is longer than any in the text. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([found]) => found.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
