import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { isControlPlane } from '../../../generators/cluster/roles.ts';
import type { AppliedState } from '../../../generators/plan/applied.ts';
import { quote } from '../../runtime/command.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { Server } from '../../runtime/server.ts';
import { heldMachines } from '../run/lock.ts';
import { copiedState, leftBehind, type ServerKnowledge } from './former-server.ts';
import { appliedCopy, readLife } from './life.ts';

interface AppliedHere extends ServerKnowledge {
  /** Where copies of what was applied are kept on this machine. */
  readonly folder: string;
}

/** Of a cluster of which the server knows nothing: that it was applied from another server, or from this one before it lost its disk, or under another name. */
export const knownElsewhere = async (
  server: Server,
  cluster: Cluster,
  here: AppliedHere,
): Promise<Failure | undefined> =>
  (await leftBehind(cluster, here, here.folder)) ?? (await formerName(server, cluster, here));

/**
 * Under another name a cluster is another one, of which nothing is known. Told by the copies of what was applied that are kept here;
 * the server then says whether that cluster still has the machines.
 */
async function formerName(
  server: Server,
  cluster: Cluster,
  { applied, folder }: AppliedHere,
): Promise<Failure | undefined> {
  if (applied.whole !== undefined || Object.keys(applied.members).length > 0) return undefined;
  for (const name of await copiesIn(folder)) {
    const copy = join(folder, appliedCopy(name));
    if (name === cluster.name || sharedHeads(await copiedState(copy), cluster).length === 0) continue;
    const life = await readLife(server, name);
    const shared = life.ok ? sharedHeads(life.value.applied, cluster) : [];
    if (shared.length > 0) return refusal(cluster, { name, shared, copy });
  }
  return undefined;
}

const refusal = (
  { name: now, ansibleServer: { directory } }: Cluster,
  {
    name,
    shared,
    copy,
  }: { readonly name: string; readonly shared: readonly string[]; readonly copy: string },
): Failure => ({
  kind: 'refused',
  message: `nothing of ${now} is known to the Ansible server, and ${shared.join(', ')} of it are control planes of ${name}, which was applied from there; nothing was run`,
  evidence: `Under another name it is another cluster: a run would begin as though no host had anything yet, and machines that left the definition would stay`,
  next: `Where ${name} is called ${now} from now on: with the definition of before npx task schedule remove where it has a schedule, on the Ansible server mv ${directory}/kept/${name} ${directory}/kept/${now}, then npx task owner adopt --from ${name} and npx task run --confirm ${now}. Where it is another cluster: give it machines of its own. Where ${name} is gone: rm ${quote(copy)}`,
});

/** Names of the clusters that a plan was made of here. */
async function copiesIn(folder: string): Promise<readonly string[]> {
  try {
    const files = await readdir(dirname(join(folder, appliedCopy(''))));
    return files.flatMap((file) => /^([a-z0-9][-a-z0-9]*)\.json$/.exec(file)?.[1] ?? []).toSorted();
  } catch {
    return [];
  }
}

/** Machines of a definition that are control planes of what was applied, by how they are reached. */
function sharedHeads({ whole, members = {} }: Partial<AppliedState>, cluster: Cluster): readonly string[] {
  const machines = (whole?.cluster.machines ?? []).filter(
    (machine) => isControlPlane(machine) && members[machine.name] !== undefined,
  );
  const theirs = new Set(heldMachines({ machines }).map(({ at }) => at));
  return heldMachines(cluster).flatMap(({ name, at }) => (theirs.has(at) ? [name] : []));
}
