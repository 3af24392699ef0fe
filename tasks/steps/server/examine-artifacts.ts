import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { isOffline } from '../../../generators/phases/offline.ts';
import { ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import { agentFolder } from '../../runtime/package.ts';
import type { Server } from '../../runtime/server.ts';
import type { CheckResult } from './examine.ts';

const what = 'artifacts';

/**
 * Whether the artifacts of an offline cluster are those of its definition; none for other clusters. A node of a mesh is not asked: its
 * folder is not the control node's.
 */
export async function examineArtifacts(
  server: Server,
  cluster: Pick<Cluster, 'offline' | 'kubernetes'>,
): Promise<Result<readonly CheckResult[], Failure>> {
  if (!isOffline(cluster as Cluster) || server.node !== '') return ok([]);
  const script = readFileSync(join(agentFolder, 'examine-artifacts.sh'), 'utf8');
  const told = await server.run({ argv: ['sh', '-s', '--', cluster.offline.artifacts] }, { stdin: script });
  if (!told.ok) return told;
  const fact = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(told.value.stdout)?.[1] ?? '';
  return ok([artifactsFinding(cluster, fact)]);
}

/** The judgement of what lies there. */
export function artifactsFinding(
  { offline, kubernetes }: Pick<Cluster, 'offline' | 'kubernetes'>,
  fact: (name: string) => string,
): CheckResult {
  const unfit = (seen: string, remedy: string): CheckResult => ({ what, state: 'unfit', seen, remedy });
  const version = fact('kubernetes');
  if (fact('sums') === '')
    return {
      what,
      state: 'unsure',
      seen: `none in ${offline.artifacts}`,
      remedy: 'npx task artifacts push --from <folder>',
    };
  if (version !== '' && version !== kubernetes.version)
    return unfit(
      `Kubernetes ${version} in ${offline.artifacts}, the definition says ${kubernetes.version}`,
      `npx task artifacts prepare for ${kubernetes.version}, then push, and offline.sha256 as it says`,
    );
  return fact('sums') === offline.sha256
    ? { what, state: 'fit', seen: `Kubernetes ${version} in ${offline.artifacts}`, remedy: '' }
    : unfit(
        `${offline.artifacts} has the sum ${fact('sums')}, offline.sha256 is another`,
        'npx task artifacts push --from <folder>, or offline.sha256 of the artifacts that are meant',
      );
}
