import { parse } from 'yaml';
import { git } from './git.ts';
import { fewAtATime } from '../../runtime/turns.ts';
import { placeOf, treePath, type Head } from './committed.ts';

/**
 * What the commit asks for in review of this cluster, and what was pushed does, so that neither a change nor a copy of the definition
 * that nobody reviewed takes that back. `optional` is left out.
 */
export async function askedOf(
  head: Head,
  { cluster, definition }: { readonly cluster: string; readonly definition: string },
): Promise<readonly string[]> {
  const own = treePath(head, await placeOf(definition));
  const askedAt = async (tree: Head): Promise<readonly string[]> => {
    const paths = new Set([...(await filesWithKey(tree)), ...(own === undefined ? [] : [own])]);
    // A repository may hold hundreds of definitions.
    return fewAtATime([...paths], 4, (path) => reviewModeAt(tree, path, path === own ? '' : cluster));
  };
  const pushed = async (): Promise<readonly (readonly string[])[]> =>
    Promise.all((await pushedTips(head)).map((commit) => askedAt({ ...head, commit })));
  const found = (await Promise.all([askedAt(head), pushed()])).flat(2);
  return found.filter((each) => each !== '' && each !== 'optional');
}

/** What was fetched of the remotes last, where most have what is reviewed. */
async function pushedTips({ commit, root }: Head): Promise<readonly string[]> {
  const refs = ['refs/remotes/*/HEAD', 'refs/remotes/*/main', 'refs/remotes/*/master'];
  const found = await git(['for-each-ref', '--format=%(objectname)', ...refs], root);
  const tips = found.ok ? found.value.stdout.split('\n') : [];
  return [...new Set(tips)].filter((each) => each !== '' && each !== commit);
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
async function reviewModeAt({ commit, root }: Head, path: string, cluster: string): Promise<string> {
  const text = await git(['cat-file', 'blob', `${commit}:${path}`], root);
  const data = text.ok ? dataOf(text.value.stdout) : {};
  const isOurs = cluster === '' || data?.metadata?.name === cluster;
  return isOurs && typeof data?.review === 'string' ? data.review : '';
}

interface ReviewedDefinition {
  readonly review?: unknown;
  readonly metadata?: { readonly name?: unknown } | null;
}

/** A file that is no definition asks for nothing. */
function dataOf(text: string): ReviewedDefinition | null {
  try {
    const data: unknown = parse(text, { logLevel: 'silent' });
    return typeof data === 'object' ? data : null;
  } catch {
    return null;
  }
}
