import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnsibleServer, Cluster } from '../../../generators/cluster/cluster.ts';
import type { AppliedState } from '../../../generators/plan/applied.ts';
import { quote } from '../../runtime/command.ts';
import type { Failure } from '../../runtime/failures.ts';
import { appliedCopy } from './life.ts';

/** What the Ansible server of a definition knows of its cluster. */
export interface ServerKnowledge {
  readonly applied: AppliedState;
  /** Of its `applied.json`; empty where it has none: what a cluster that was terminated leaves is one. */
  readonly digest: string;
}

/**
 * What is known of a cluster lies on its Ansible server: another one, or another folder, or one that lost its disk, would take a
 * cluster that runs for one that was never applied. Told by the copy of what was applied that is kept here.
 */
export async function leftBehind(
  cluster: Cluster,
  { applied, digest }: ServerKnowledge,
  folder: string,
): Promise<Failure | undefined> {
  if (applied.whole !== undefined || Object.keys(applied.members).length > 0) return undefined;
  const copy = join(folder, appliedCopy(cluster.name));
  const { whole, members = {} } = await copiedState(copy);
  const names = Object.keys(members);
  if (names.length === 0) return undefined;
  const former = whole?.cluster.ansibleServer ?? cluster.ansibleServer;
  if (placeOf(former) !== placeOf(cluster.ansibleServer)) return appliedElsewhere(cluster, former, copy);
  return digest === '' ? lostRecords(cluster, names, copy) : undefined;
}

function appliedElsewhere({ name, ansibleServer }: Cluster, former: AnsibleServer, copy: string): Failure {
  const kept = `kept/${name}`;
  return {
    kind: 'refused',
    message: `nothing of ${name} is known to ${placeOf(ansibleServer)}, and it was applied from ${placeOf(former)}; nothing was run`,
    evidence: `What was applied, the kubeconfig and the snapshots of etcd lie there, in ${former.directory}/${kept}. Without them ${beginning}`,
    next: `End what runs there, and with the definition of before npx task schedule remove where it has a schedule. Then copy ${former.directory}/${kept} to ${ansibleServer.directory}/${kept}, with owner and modes as there (between hosts: scp -3 -p -r). ${anew(copy)}`,
  };
}

function lostRecords({ name, ansibleServer }: Cluster, names: readonly string[], copy: string): Failure {
  const kept = `${ansibleServer.directory}/kept/${name}`;
  return {
    kind: 'refused',
    message: `nothing of ${name} is known to ${placeOf(ansibleServer)}, and ${names.join(', ')} were in the cluster when its state was copied from there; nothing was run`,
    evidence: `What was applied, the kubeconfig and the snapshots of etcd lay there in ${kept}, which is gone. Without them ${beginning}`,
    next: `Bring ${kept} back from a backup of that machine. Where there is none, copy ${quote(copy)} to ${kept}/applied.json there, for its user alone (folder 0700, file 0600): it says what was applied when somebody planned or ran something here last; then npx task plan, npx task kubeconfig and npx task backup. ${anew(copy)}`,
  };
}

const beginning =
  'a run would begin as though no host had anything yet, and machines that left the definition would stay';

const anew = (copy: string): string => `Where the cluster is gone and shall be built anew: rm ${quote(copy)}`;

/** The copy of what was applied that is kept here; damaged or missing, it says nothing. */
export async function copiedState(copy: string): Promise<Partial<AppliedState>> {
  try {
    return JSON.parse(await readFile(copy, 'utf8')) as Partial<AppliedState>;
  } catch {
    return {};
  }
}

/** Another user has another home. */
function placeOf(server: AnsibleServer): string {
  if (server.kind === 'local') return `this machine in ${server.directory}`;
  const { user, host, port, directory } = server;
  return `${user === '' ? '' : `${user}@`}${host}${port === 0 ? '' : ` port ${port}`} in ${directory}`;
}
