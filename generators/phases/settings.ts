import type { RenderedFile } from '../rendered-file.ts';

/** Paths below `folder`, which a playbook copies as a whole, sorted as the files are. */
export const settingsBelow = (folder: string, files: readonly RenderedFile[]): readonly string[] =>
  files.filter(({ path }) => path.startsWith(`${folder}/`)).map(({ path }) => path.slice(folder.length + 1));
