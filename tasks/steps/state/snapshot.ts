import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { sha256Of } from '../../runtime/sums.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { World } from '../../runtime/world.ts';
import { fetchFiles, isCommittable, listKept } from './kept.ts';
import type { Session } from '../server/session.ts';

/** etcd advises against databases of more than 8 GiB. */
const mostOfSnapshot = 16 * 2 ** 30;

/** Says which snapshot of etcd is the latest on the server, and with `to` brings it here once its checksum is right. */
export async function takeSnapshot(
  { cluster, server }: Session,
  to: string | undefined,
  world: Pick<World, 'cwd' | 'report' | 'print'>,
): Promise<Result<void, Failure>> {
  const kept = await listKept(server, cluster.name, 'etcd');
  if (!kept.ok) return kept;
  const { folder, files } = kept.value;
  const name = files.findLast((each) => /\.db(?:\.age)?$/.test(each) && files.includes(`${each}.sha256`));
  if (name === undefined) return failed(notThere(folder));
  world.report({ type: 'note', text: `${server.name} keeps ${folder}/${name}` });
  if (to === undefined) return ok(undefined);
  const here = resolve(world.cwd, to);
  const names = files.filter((each) => each.startsWith(name.replace(/db(?:\.age)?$/, '')));
  const fetched = await fetchFiles(server, {
    files: names.map((each) => ({ path: `${folder}/${each}`, name: each })),
    to: here,
    most: mostOfSnapshot,
    judge: sound,
  });
  if (!fetched.ok) return fetched;
  await tellPlace(join(here, name), world);
  return ok(undefined);
}

/** Every copy that has a checksum beside it is what the checksum says. */
async function sound(copies: readonly string[]): Promise<Result<void, Failure>> {
  for (const copy of copies.filter((each) => copies.includes(`${each}.sha256`))) {
    const [wanted] = (await readFile(`${copy}.sha256`, 'utf8')).trim().split(/\s/);
    if ((await sha256Of(copy)) !== wanted) return failed(damagedCopy(copy));
  }
  return ok(undefined);
}

async function tellPlace(
  path: string,
  { cwd, report, print }: Pick<World, 'cwd' | 'report' | 'print'>,
): Promise<void> {
  if (!path.endsWith('.age') && (await isCommittable(path)))
    report({
      type: 'warning',
      text: `git does not ignore ${path}: it holds every Secret of the cluster; keep it elsewhere`,
    });
  const near = relative(cwd, path);
  print(near.startsWith('..') ? path : near);
}

const notThere = (folder: string): Failure => ({
  kind: 'server',
  message: `the playbook left no snapshot with a checksum in ${folder}`,
  evidence: '',
  next: 'Look at `npx task logs`',
});

const damagedCopy = (copy: string): Failure => ({
  kind: 'file',
  message: `${copy.split('/').at(-1) ?? ''} does not match its checksum; no copy was kept here`,
  next: 'Try again; compare the file and its checksum on the Ansible server',
});
