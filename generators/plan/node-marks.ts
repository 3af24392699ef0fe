import type { Cluster, Machine } from '../cluster/cluster.ts';
import { sha256 } from '../digest.ts';

/** The phase that gives nodes of kubespray their labels and taints; no digest sees these, since nodes come and go. */
export const marking = 'kubespray-cluster';

/** True when a node that stays has to get a label or a taint of which kubespray was not told yet. */
export function lacksMarks(before: Cluster | undefined, after: Cluster): boolean {
  if (after.kubernetes.installer !== 'kubespray' || before === undefined) return false;
  const told = machinesOf(before);
  return after.machines.some((machine) => {
    const was = told.get(machine.name);
    return was !== undefined && marksOf(machine).some((mark) => !marksOf(was).includes(mark));
  });
}

/** What is told of labels and taints, node by node. */
export const digestOfMarks = ({ machines }: Pick<Cluster, 'machines'>): string =>
  sha256(JSON.stringify(machines.map(({ name, labels, taints }) => [name, labels, taints])));

/** The cluster, with labels and taints as nodes that stay were given them. */
export function withMarksOf(before: Cluster | undefined, after: Cluster): Cluster {
  const told = machinesOf(before);
  const marked = (machine: Machine): Machine => {
    const { labels, taints } = told.get(machine.name) ?? machine;
    return { ...machine, labels, taints };
  };
  return { ...after, machines: after.machines.map(marked) };
}

const machinesOf = (cluster: Cluster | undefined): ReadonlyMap<string, Machine> =>
  new Map((cluster?.machines ?? []).map((machine) => [machine.name, machine]));

const marksOf = ({ labels, taints }: Machine): readonly string[] =>
  [...labels, ...taints].map((mark) => JSON.stringify(mark));
