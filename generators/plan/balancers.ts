import type { Cluster } from '../cluster/cluster.ts';
import { hasNodes } from '../operations/operation.ts';
import { isNode, type AppliedState } from './applied.ts';
import type { Movement } from './machines.ts';
import type { Snapshot } from './snapshot.ts';

interface PlanState {
  readonly applied: Pick<AppliedState, 'members' | 'whole'>;
  readonly wanted: Pick<Snapshot, 'cluster'>;
  readonly movement: Pick<Movement, 'removed'>;
}

/** Machines that no longer balance and that nobody takes anything off: they would go on to answer, and hold the address. */
export function stillBalancing({ applied, wanted, movement }: PlanState): readonly string[] {
  const before = applied.whole?.cluster;
  if (before === undefined) return [];
  // Who leaves, or was taken out before, loses its balancer with it.
  const gone = new Set([
    ...(hasNodes(wanted.cluster) ? movement.removed.map(([name]) => name) : []),
    ...before.machines.filter(isNode).flatMap(({ name }) => (applied.members[name] ? [] : [name])),
  ]);
  const stays = new Set(wanted.cluster.machines.filter(isNode).map(({ name }) => name));
  return kinds.flatMap(({ what, of }) => {
    const balances = new Set(of(wanted.cluster));
    return of(before)
      .filter((name) => !balances.has(name) && !gone.has(name))
      .map(
        (name) =>
          `${name} no longer balances ${what}: no playbook stops HAProxy and Keepalived there, and two machines would hold the address; ${
            stays.has(name)
              ? `take it out with the definition of before (npx task scale-in ${name}), and let it come back as what it becomes`
              : 'stop them by hand, then npx task run'
          }`,
      );
  });
}

const kinds: readonly { readonly what: string; readonly of: (cluster: Cluster) => readonly string[] }[] = [
  { what: 'the API', of: ({ endpoint }) => endpoint.balancers.map(({ name }) => name) },
  {
    what: 'for clients outside',
    of: ({ externalLoadBalancer }) => externalLoadBalancer.balancers.map(({ name }) => name),
  },
];
