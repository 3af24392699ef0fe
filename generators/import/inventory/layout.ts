import { asTheBuilder } from '../layout.ts';
import type { FoundMachine } from '../machines.ts';
import { part, type ImportPart } from '../part.ts';
import type { Members } from './groups.ts';

/** Where no group says who is a control plane, the first machines are, as the inventory builder had it. */
export function layoutPart(
  machines: readonly FoundMachine[],
  { controlPlane, worker, etcd }: Members,
): { readonly machines: readonly FoundMachine[]; readonly told: ImportPart } {
  if (controlPlane.length + worker.length + etcd.length > 0) return { machines, told: part({}) };
  const free = machines.filter(({ list }) => list === 'hosts');
  const placed = free.map((machine, index): FoundMachine => ({
    ...machine,
    list: 'nodes',
    roles: asTheBuilder(index, free.length),
  }));
  return {
    machines: placed,
    told: part({
      assumptions:
        placed.length === 0
          ? []
          : [
              `no group says who does what; roles are those that kubespray's inventory builder gave ${placed.length} hosts`,
            ],
    }),
  };
}
