import { kindOf } from '../../../generators/kinds/kinds.ts';
import { refusedChanges } from '../../../generators/plan/refusals.ts';
import { mainPlaybook } from '../../../generators/playbooks.ts';
import type { RunLife } from '../../runtime/agent/messages.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { Server } from '../../runtime/server.ts';
import type { PreparedRun } from './prepare.ts';

/** A definition with changes that cannot be made in place; none of them is run. */
export const unchangeable = (cluster: string, changes: readonly string[], next: string): Failure => ({
  kind: 'refused',
  message: `${cluster} cannot be changed to what its definition says now; nothing was run`,
  evidence: changes.join('\n'),
  next,
});

/** What a plan refuses, a run of everything would bring all the same, unless the name of the cluster confirms it. */
export function refusalOf(
  { cluster, playbook, confirmed, server }: PreparedRun & { readonly server: Server },
  life: RunLife | undefined,
): Failure | undefined {
  const isPlanned = kindOf(cluster).unplanned === undefined && playbook === mainPlaybook(cluster);
  if (life === undefined || !isPlanned || confirmed === cluster.name) return undefined;
  const changes = refusedChanges(life.base, life.snapshot);
  const way = server.node === '' ? `npx task run --confirm ${cluster.name}` : 'run its phases by name';
  return changes.length === 0
    ? undefined
    : unchangeable(
        cluster.name,
        changes,
        `Change the definition as these say. Where the hosts are that already, as after a change by hand: ${way}`,
      );
}
