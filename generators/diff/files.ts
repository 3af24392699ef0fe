import { byPath, type RenderedFile } from '../rendered-file.ts';

/** One file that differs: `before` is missing for an added one, `after` for a removed one. */
export interface FileChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What differs, sorted by path; the manifest follows from the rest and is left out. */
export function compareFiles(
  oldFiles: readonly RenderedFile[],
  newFiles: readonly RenderedFile[],
): readonly FileChange[] {
  const before = textsOf(oldFiles);
  const after = textsOf(newFiles);
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => change(path, before.get(path), after.get(path)))
    .sort(byPath);
}

const textsOf = (files: readonly RenderedFile[]): ReadonlyMap<string, string> =>
  new Map(files.filter(({ path }) => path !== 'manifest.json').map(({ path, text }) => [path, text]));

function change(path: string, before: string | undefined, after: string | undefined): FileChange {
  if (before === undefined) return { kind: 'added', path, before, after };
  return { kind: after === undefined ? 'removed' : 'changed', path, before, after };
}
