import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { RenderedFile } from '../../../generators/rendered-file.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import { diskReason } from '../../runtime/folders.ts';

/** What lies in a bundle's folder now: path → text. */
export type PresentFiles = ReadonlyMap<string, string>;

/** Every file that lies in the folder. A symbolic link is refused: what is written there would land elsewhere. */
export async function readPresent(folder: string): Promise<Result<PresentFiles, Failure>> {
  try {
    if ((await lstat(folder)).isSymbolicLink()) return failed(linkInBundle(folder));
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }));
    const link = paths.find(({ entry }) => entry.isSymbolicLink());
    if (link) return failed(linkInBundle(link.path));
    const texts = paths
      .filter(({ entry }) => entry.isFile())
      .map(async ({ path }) => {
        const text = await textThere(path);
        return text === undefined ? [] : [[relative(folder, path).split(sep).join('/'), text] as const];
      });
    return ok(new Map((await Promise.all(texts)).flat()));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ok(new Map());
    return failed({
      kind: 'file',
      message: `cannot read ${folder}: ${diskReason(error)}`,
      next: 'name another --output, a folder that is there or can be made',
    });
  }
}

/** Nothing of a file that another render has just given its name, or removed. */
async function textThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** What an earlier render left in the folder, without its manifest and without what others put there. */
export async function readRendered(folder: string): Promise<Result<readonly RenderedFile[], Failure>> {
  const present = await readPresent(folder);
  if (!present.ok) return present;
  return ok(
    manifestPaths(present.value).flatMap((path) => {
      const text = present.value.get(path);
      return text === undefined ? [] : [{ path, text, mode: '0644' as const }];
    }),
  );
}

/** The paths that the manifest in a folder lists; none where there is no manifest that can be read. */
export function manifestPaths(present: PresentFiles): string[] {
  try {
    const { files } = JSON.parse(present.get('manifest.json') ?? '{}') as {
      readonly files?: readonly { readonly path?: unknown }[];
    };
    return (files ?? []).flatMap(({ path }) => (typeof path === 'string' ? [path] : []));
  } catch {
    return [];
  }
}

const linkInBundle = (path: string): Failure => ({
  kind: 'file',
  message: `${path} is a symbolic link; a bundle lies in plain folders and files`,
  next: 'Remove the link, then run `npx task render`',
});
