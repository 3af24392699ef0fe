import { git } from './git.ts';
import { lastLines } from '../../runtime/program.ts';
import type { Head } from './committed.ts';

/** Why the commit does not count as being on `<remote>/<branch>`; empty when it is there. The remote itself is asked. */
export async function missing({ commit, root }: Head, where: string): Promise<string> {
  const at = where.indexOf('/');
  const [remote, branch] = [where.slice(0, at), where.slice(at + 1)];
  const listed = await git(['ls-remote', '--exit-code', '--', remote, `refs/heads/${branch}`], root);
  if (!listed.ok)
    return `the branch ${branch} of ${remote} cannot be asked for: ${lastLines(listed.failure, 1)}`;
  const tip = listed.value.stdout.split('\t', 1)[0] ?? '';
  const fetched = await git([...fetch, '--', remote, `refs/heads/${branch}`], root);
  if (!fetched.ok)
    return `the branch ${branch} of ${remote} cannot be asked for: ${lastLines(fetched.failure, 1)}`;
  const held = await git(['-c', 'core.commitGraph=false', 'merge-base', '--is-ancestor', commit, tip], root);
  return held.ok ? '' : `the commit ${commit.slice(0, 12)} is not on the branch ${branch} of ${remote}`;
}

/** Objects alone: no branch, tag or note of this checkout is changed. */
const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--refmap='];
