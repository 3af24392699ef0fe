import type { Cluster } from '../cluster/cluster.ts';
import { kindOf } from '../kinds/kinds.ts';
import { codeBlock, bulletList } from '../markdown.ts';
import { topologyChart } from '../topology/mermaid.ts';
import type { FileChange } from './files.ts';
import { patch } from './patch.ts';

/** The topology before and after as Mermaid; empty when it is the same, or longer than `room`. */
export function picturesWithin(before: Cluster, after: Cluster, room: number): string {
  const [old = '', now = ''] = [before, after].map((cluster) => {
    const topology = kindOf(cluster).topology?.(cluster);
    return topology === undefined ? '' : topologyChart(topology).join('\n');
  });
  if (old === now || old === '' || now === '') return '';
  const both = `### Topology before\n\n${codeBlock('mermaid', old)}\n\n### Topology after\n\n${codeBlock('mermaid', now)}`;
  return both.length > room ? '' : both;
}

/** Sentences as a list, as many as `room` characters hold. */
export function listedWithin(sentences: readonly string[], room: number): string {
  const shown = fitting(sentences, room, 3);
  const rest = sentences.length - shown.length;
  return bulletList([...shown, ...(rest > 0 ? [`and ${rest} more`] : [])]);
}

/** Differences of files, each folded away under its name, as many as `room` characters hold; the rest is only named. */
export function foldedWithin(changes: readonly FileChange[], room: number): string {
  const shown = fitting(changes.map(fold), room, 2);
  const rest = changes.slice(shown.length);
  return [...shown, ...(rest.length > 0 ? [restOf(rest)] : [])].join('\n\n');
}

/** The first texts that fit, each with `beside` characters more. */
function fitting(texts: readonly string[], room: number, beside: number): readonly string[] {
  let left = room;
  const tooLong = texts.findIndex((text) => (left -= text.length + beside) < 0);
  return tooLong === -1 ? texts : texts.slice(0, tooLong);
}

function fold(change: FileChange): string {
  const difference = codeBlock('diff', patch(change).trimEnd());
  return `<details><summary>${titleOf(change)}</summary>\n\n${difference}\n\n</details>`;
}

const titleOf = ({ kind, path }: FileChange): string => `${kind}: <code>${path}</code>`;

/** Characters that are kept free for what says that there is more. */
export const roomOfRest = 800;

/** Names of as many files as that room holds. */
function restOf(changes: readonly FileChange[]): string {
  const title = `${count(changes.length, 'more file')}, too long for this place: \`npx task diff\` shows them all`;
  return `${title}\n\n${listedWithin(changes.map(titleOf), roomOfRest - title.length - 50)}`;
}

export const count = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
