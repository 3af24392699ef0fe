import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnsibleServer, Cluster } from '../../../generators/cluster/cluster.ts';
import type { AppliedState } from '../../../generators/plan/applied.ts';
import { quote } from '../../runtime/command.ts';
import type { Failure } from '../../runtime/failures.ts';
import { appliedCopy } from './life.ts';

/**
 * What is known of a cluster lies on its Ansible server: another one, or another folder, would take a cluster that runs for one
 * that was never applied. Told by the copy of what was applied that is kept here.
 */
export async function leftBehind(
  cluster: Cluster,
  applied: AppliedState,
  folder: string,
): Promise<Failure | undefined> {
  if (applied.whole !== undefined || Object.keys(applied.members).length > 0) return undefined;
  const former = await formerServer(join(folder, appliedCopy(cluster.name)));
  if (former === undefined) return undefined;
  const [there, here] = [placeOf(former), placeOf(cluster.ansibleServer)];
  if (there === here) return undefined;
  const kept = `kept/${cluster.name}`;
  return {
    kind: 'refused',
    message: `nothing of ${cluster.name} is known to ${here}, and it was applied from ${there}; nothing was run`,
    evidence: `What was applied, the kubeconfig and the snapshots of etcd lie there, in ${former.directory}/${kept}. Without them a run would begin as though no host had anything yet, and machines that left the definition would stay`,
    next: `End what runs there, and with the definition of before npx task schedule remove where it has a schedule. Then copy ${former.directory}/${kept} to ${cluster.ansibleServer.directory}/${kept}, with owner and modes as there (between hosts: scp -3 -p -r). Where the cluster is gone and shall be built anew: rm ${quote(join(folder, appliedCopy(cluster.name)))}`,
  };
}

/** Where a cluster that has machines was applied from; undefined where nobody knows. */
async function formerServer(copy: string): Promise<AnsibleServer | undefined> {
  try {
    const { whole, members } = JSON.parse(await readFile(copy, 'utf8')) as AppliedState;
    return Object.keys(members).length === 0 ? undefined : whole?.cluster.ansibleServer;
  } catch {
    return undefined;
  }
}

/** Another user has another home. */
function placeOf(server: AnsibleServer): string {
  if (server.kind === 'local') return `this machine in ${server.directory}`;
  const { user, host, port, directory } = server;
  return `${user === '' ? '' : `${user}@`}${host}${port === 0 ? '' : ` port ${port}`} in ${directory}`;
}
