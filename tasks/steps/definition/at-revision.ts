import { basename, dirname } from 'node:path';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import type { Files } from '../../../generators/definition/files.ts';
import { load as loadText } from '../../../generators/load.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { showProblems } from '../../../generators/source/problems.ts';
import type { Failure } from '../../runtime/failures.ts';
import { lastLines, program } from '../../runtime/program.ts';
import { filesBy } from './files.ts';

/** The cluster of a definition as it was committed; `file` is its absolute path. */
export async function clusterAt(revision: string, file: string): Promise<Result<Cluster, Failure>> {
  const name = `${revision}:./${basename(file)}`;
  const text = await program(['git', 'show', '--end-of-options', name], { cwd: dirname(file) });
  if (!text.ok)
    return failed({
      kind: 'usage',
      message: `there is no ${basename(file)} at ${revision}: ${lastLines(text.failure, 1)}`,
      next: 'name a revision that has the definition',
    });
  const loaded = loadText(text.value.stdout, name, await filesAt(revision, text.value.stdout, dirname(file)));
  return loaded.ok
    ? ok(loaded.value.cluster)
    : failed({
        kind: 'definition',
        message: `the definition had problems at ${revision}`,
        report: showProblems(loaded.failure, text.value.stdout),
      });
}

/** The files that the definition named then, as they were then. */
const filesAt = (revision: string, text: string, cwd: string): Promise<Files> => {
  const shown = (name: string): ReturnType<typeof program> =>
    program(['git', 'show', '--end-of-options', `${revision}:./${name}`], { cwd });
  return filesBy(text, {
    read: async (path) => {
      const found = await shown(path);
      return found.ok ? ok(found.value.stdout) : failed(`there is no file ${path} at ${revision}`);
    },
    // A heading, an empty line, then a name a line; those of folders end with a slash.
    list: async (path) => {
      const found = await shown(`${path}/`);
      if (!found.ok) return failed(`there is no folder ${path} at ${revision}`);
      const names = found.value.stdout.split('\n').slice(2);
      return ok(names.filter((name) => name !== '' && !name.endsWith('/')));
    },
    folder: undefined,
  });
};
