/** One file of a bundle: `path` is relative to the bundle with forward slashes, `mode` is four octal digits. */
export interface RenderedFile {
  readonly path: string;
  readonly text: string;
  readonly mode: '0644' | '0755';
}

/** The order of every list of files: by code unit, so that no locale can change a digest. */
export const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
