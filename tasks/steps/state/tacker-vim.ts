import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { quote } from '../../runtime/command.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { World } from '../../runtime/world.ts';
import { judgeVim } from './credentials.ts';
import { fetchFiles, isCommittable, listKept, mostOfText } from './kept.ts';
import type { Session } from '../server/session.ts';
import { keepsake } from '../run/watch.ts';

const name = 'tacker-vim.yaml';

/** Fetches what the playbook kept, takes it away from the server, and says how Tacker takes it. */
export async function takeVim(
  { cluster, server, file }: Session,
  to: string | undefined,
  { cwd, report, print }: Pick<World, 'cwd' | 'report' | 'print'>,
): Promise<Result<void, Failure>> {
  const target = to === undefined ? join(dirname(file), keepsake, cluster.name, name) : resolve(cwd, to);
  const kept = await listKept(server, cluster.name, '');
  if (!kept.ok) return kept;
  const fetched = kept.value.files.includes(name)
    ? await fetchFiles(server, {
        files: [{ path: `${kept.value.folder}/${name}`, name: basename(target) }],
        to: dirname(target),
        most: mostOfText,
        judge: async ([copy = '']) => judgeVim(await readFile(copy, 'utf8')),
      })
    : failed(notThere(kept.value.folder));
  const removed = await server.agent().ask('forget-kept', { cluster: cluster.name, file: name });
  if (!removed.ok) report({ type: 'warning', text: `it stays on the server: ${removed.failure.message}` });
  if (!fetched.ok) return fetched;
  if (await isCommittable(target))
    report({
      type: 'warning',
      text: `git does not ignore ${target}: whoever reads it can act in the cluster as Tacker; add it to .gitignore`,
    });
  const near = relative(cwd, target);
  report({
    type: 'note',
    text: `Register it: openstack vim register --config-file ${quote(target)} ${quote(cluster.name)}; the first VIM of a project needs --is-default too`,
  });
  print(near.startsWith('..') ? target : near);
  return ok(undefined);
}

const notThere = (folder: string): Failure => ({
  kind: 'server',
  message: `the playbook left no ${name} in ${folder}`,
  evidence: '',
  next: 'Look at `npx task logs`',
});
