import { parse } from 'yaml';
import { git } from '../runtime/git.ts';
import { placeOf, treePath, type Head } from './committed.ts';

/** Whether the commit asks for review of this cluster, so that no change or copy of the definition that nobody reviewed takes that back. */
export async function asksForReview(head: Head, cluster: string, definition: string): Promise<boolean> {
  const own = treePath(head, await placeOf(definition));
  const paths = new Set(await filesWithKey(head));
  if (own !== undefined) paths.add(own);
  for (const path of paths) if (await asks(head, path, path === own ? '' : cluster)) return true;
  return false;
}

async function filesWithKey({ commit, root }: Head): Promise<readonly string[]> {
  const found = await git(['grep', '-z', '-l', '-a', '--full-name', '-w', '-e', 'review', commit], root);
  if (!found.ok) return [];
  return found.value.stdout
    .split('\0')
    .filter((each) => each !== '')
    .map((each) => each.slice(commit.length + 1))
    .filter((path) => /\.ya?ml$/.test(path));
}

/** `cluster` empty: whatever its name is. */
async function asks({ commit, root }: Head, path: string, cluster: string): Promise<boolean> {
  const text = await git(['cat-file', 'blob', `${commit}:${path}`], root);
  const data = text.ok ? dataOf(text.value.stdout) : {};
  return data?.review === 'required' && (cluster === '' || data.metadata?.name === cluster);
}

interface Asking {
  readonly review?: unknown;
  readonly metadata?: { readonly name?: unknown } | null;
}

/** A file that is no definition asks for nothing. */
function dataOf(text: string): Asking | null {
  try {
    const data: unknown = parse(text, { logLevel: 'silent' });
    return typeof data === 'object' ? data : null;
  } catch {
    return null;
  }
}
