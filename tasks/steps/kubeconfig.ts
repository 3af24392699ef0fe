import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { load as parseYaml } from 'js-yaml';
import { failed, ok, type Result } from '../../generators/result.ts';
import { quote } from '../runtime/command.ts';
import type { Failure } from '../runtime/failures.ts';
import type { World } from '../runtime/world.ts';
import { fetchFiles, isCommittable, listKept } from './kept.ts';
import type { Session } from './session.ts';
import { keepsake } from './watch.ts';

export interface KubeconfigWish {
  /** As typed; undefined: beside the definition, where git ignores it. */
  readonly to: string | undefined;
  readonly force: boolean;
}

/** Fetches what the playbook kept, takes it away from the server, and says how it is used. */
export async function takeKubeconfig(
  session: Session,
  { to, force }: KubeconfigWish,
  world: Pick<World, 'cwd' | 'report' | 'print'>,
): Promise<Result<void, Failure>> {
  const { cluster, server, file } = session;
  const target =
    to === undefined ? join(dirname(file), keepsake, cluster.name, 'kubeconfig') : resolve(world.cwd, to);
  const isReplaceable = to === undefined || force;
  const fetched = await fetchKubeconfig(session, target, async ([copy = '']) =>
    isReplaceable || (await isOfSameCluster(target, copy)) ? ok(undefined) : failed(foreign(target)),
  );
  const removed = await server.agent().ask('forget-kept', {
    cluster: cluster.name,
    file: 'kubeconfig',
  });
  if (!removed.ok)
    world.report({ type: 'warning', text: `it stays on the server: ${removed.failure.message}` });
  if (!fetched.ok) return fetched;
  await explainUse(target, world);
  return ok(undefined);
}

async function fetchKubeconfig(
  { cluster, server }: Session,
  target: string,
  judge: (copies: readonly string[]) => Promise<Result<void, Failure>>,
): Promise<Result<void, Failure>> {
  const kept = await listKept(server, cluster.name, '');
  if (!kept.ok) return kept;
  if (!kept.value.files.includes('kubeconfig')) return failed(notThere(kept.value.folder));
  const path = `${kept.value.folder}/kubeconfig`;
  return fetchFiles(server, { files: [{ path, name: basename(target) }], to: dirname(target), judge });
}

/** Renewed credentials may replace older ones; a file with other clusters in it is somebody else's. */
async function isOfSameCluster(target: string, copy: string): Promise<boolean> {
  const before = await readFile(target, 'utf8').catch((error: unknown) =>
    (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : '',
  );
  if (before === undefined) return true;
  const [authority, ...others] = authorities(before);
  return (
    others.length === 0 &&
    authority !== undefined &&
    authorities(await readFile(copy, 'utf8')).includes(authority)
  );
}

/** The certificate authorities of the clusters that a kubeconfig names; none when it is no kubeconfig. */
function authorities(text: string): readonly string[] {
  try {
    const { clusters = [] } = parseYaml(text) as {
      readonly clusters?: readonly { readonly cluster?: Readonly<Record<string, unknown>> }[];
    };
    return clusters.map(({ cluster = {} }) => String(cluster['certificate-authority-data']));
  } catch {
    return [];
  }
}

async function explainUse(
  target: string,
  { cwd, report, print }: Pick<World, 'cwd' | 'report' | 'print'>,
): Promise<void> {
  if (await isCommittable(target))
    report({
      type: 'warning',
      text: `git does not ignore ${target}: whoever reads it is the cluster's administrator; add it to .gitignore`,
    });
  const near = relative(cwd, target);
  report({ type: 'note', text: `Use it: export KUBECONFIG=${quote(target)}; kubectl get nodes` });
  print(near.startsWith('..') ? target : near);
}

const notThere = (folder: string): Failure => ({
  kind: 'server',
  message: `the playbook left no kubeconfig in ${folder}`,
  evidence: '',
  next: 'Look at `npx task logs`',
});

const foreign = (target: string): Failure => ({
  kind: 'file',
  message: `${target} is there and is not of this cluster alone; it was left as it is`,
  next: 'Name another file with --to, or replace it with --force',
});
