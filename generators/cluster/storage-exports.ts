import type { ExportOptions } from './cluster.ts';

/** Words of exports(5) of which only one can hold; the first is the usual one. */
export const exportChoices = {
  access: ['rw', 'ro'],
  writes: ['sync', 'async'],
  squash: ['root_squash', 'no_root_squash', 'all_squash'],
  ports: ['secure', 'insecure'],
  subtree: ['no_subtree_check', 'subtree_check'],
} as const;

/** The options of an export, what is not written being as safe as it gets. */
export function exportOptions(words: readonly string[]): ExportOptions {
  const chosen = <Word extends string>(choices: readonly [Word, ...Word[]]): Word =>
    choices.find((word) => words.includes(word)) ?? choices[0];
  return {
    access: chosen(exportChoices.access),
    writes: chosen(exportChoices.writes),
    squash: chosen(exportChoices.squash),
    ports: chosen(exportChoices.ports),
    subtree: chosen(exportChoices.subtree),
    anonymousUser: numberOf(words, 'anonuid'),
    anonymousGroup: numberOf(words, 'anongid'),
  };
}

const numberOf = (words: readonly string[], key: string): number => {
  const found = words.find((word) => word.startsWith(`${key}=`));
  return found === undefined ? -1 : Number(found.slice(key.length + 1));
};

/** Whether a path is a folder or lies below it. */
export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/** The mount point that is nearest above a path. */
export const mountPointOf = (path: string, mountPoints: readonly string[]): string | undefined =>
  mountPoints.filter((each) => isInside(path, each)).sort((a, b) => b.length - a.length)[0];
