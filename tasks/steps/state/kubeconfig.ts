import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { load as parseYaml } from 'js-yaml';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { quote } from '../../runtime/command.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { World } from '../../runtime/world.ts';
import { judgeKubeconfig } from './credentials.ts';
import { fetchFiles, isCommittable, listKept, mostOfText } from './kept.ts';
import type { Session } from '../server/session.ts';
import { keepsake } from '../run/watch.ts';

export interface KubeconfigWish {
  /** As typed; undefined: beside the definition, where git ignores it. */
  readonly to: string | undefined;
  readonly force: boolean;
  /** The CNF whose tenant's it is; undefined: the administrator's. */
  readonly cnf?: string | undefined;
}

/** As it is kept on the server, as it is called here, and who has it. */
interface KubeconfigKind {
  readonly file: 'kubeconfig' | 'tenant-kubeconfig';
  readonly name: string;
  readonly whose: string;
  readonly try: string;
}

const kindOf = (cnf: string | undefined): KubeconfigKind =>
  cnf === undefined
    ? {
        ...{ file: 'kubeconfig', name: 'kubeconfig' },
        ...{ whose: "is the cluster's administrator", try: 'kubectl get nodes' },
      }
    : {
        ...{ file: 'tenant-kubeconfig', name: `kubeconfig-${cnf}` },
        ...{ whose: `is the tenant of ${cnf} until its token ends`, try: 'kubectl get pods' },
      };

/** Fetches what the playbook kept, takes it away from the server, and says how it is used. */
export async function takeKubeconfig(
  session: Session,
  { to, force, cnf }: KubeconfigWish,
  world: Pick<World, 'cwd' | 'report' | 'print'>,
): Promise<Result<void, Failure>> {
  const { cluster, server, file } = session;
  const kind = kindOf(cnf);
  const target =
    to === undefined ? join(dirname(file), keepsake, cluster.name, kind.name) : resolve(world.cwd, to);
  const isReplaceable = to === undefined || force;
  const fetched = await fetchKubeconfig(session, { file: kind.file, target }, async ([copy = '']) =>
    isReplaceable || (await isOfSameCluster(target, copy)) ? ok(undefined) : failed(foreign(target)),
  );
  const removed = await server.agent().ask('forget-kept', {
    cluster: cluster.name,
    file: kind.file,
  });
  if (!removed.ok)
    world.report({ type: 'warning', text: `it stays on the server: ${removed.failure.message}` });
  if (!fetched.ok) return fetched;
  await explainUse(target, kind, world);
  return ok(undefined);
}

async function fetchKubeconfig(
  { cluster, server }: Session,
  { file, target }: { readonly file: KubeconfigKind['file']; readonly target: string },
  judge: (copies: readonly string[]) => Promise<Result<void, Failure>>,
): Promise<Result<void, Failure>> {
  const kept = await listKept(server, cluster.name, '');
  if (!kept.ok) return kept;
  if (!kept.value.files.includes(file)) return failed(notThere(file, kept.value.folder));
  const path = `${kept.value.folder}/${file}`;
  return fetchFiles(server, {
    files: [{ path, name: basename(target) }],
    to: dirname(target),
    most: mostOfText,
    judge: async (copies) => {
      const sound = judgeKubeconfig(await readFile(copies[0] ?? '', 'utf8'));
      return sound.ok ? judge(copies) : sound;
    },
  });
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
  { whose, try: command }: KubeconfigKind,
  { cwd, report, print }: Pick<World, 'cwd' | 'report' | 'print'>,
): Promise<void> {
  if (await isCommittable(target))
    report({
      type: 'warning',
      text: `git does not ignore ${target}: whoever reads it ${whose}; add it to .gitignore`,
    });
  const near = relative(cwd, target);
  report({ type: 'note', text: `Use it: export KUBECONFIG=${quote(target)}; ${command}` });
  print(near.startsWith('..') ? target : near);
}

const notThere = (file: string, folder: string): Failure => ({
  kind: 'server',
  message: `the playbook left no ${file} in ${folder}`,
  evidence: '',
  next: 'Look at `npx task logs`',
});

const foreign = (target: string): Failure => ({
  kind: 'file',
  message: `${target} is there and is not of this cluster alone; it was not changed`,
  next: 'Name another file with --to, or replace it with --force',
});
