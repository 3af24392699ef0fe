import { asTheBuilder } from '../layout.ts';
import { nearest } from '../../source/nearest.ts';
import { wrongAt } from '../../source/foreign/node.ts';
import { someOf, type FoundMachine } from '../machines.ts';
import { part, type ImportPart } from '../part.ts';
import type { Members } from './groups.ts';

/** Where no group says who is a control plane, the first machines are, as the inventory builder had it. */
export function layoutPart(
  machines: readonly FoundMachine[],
  { controlPlane, worker, etcd }: Members,
  strange: readonly string[],
): { readonly machines: readonly FoundMachine[]; readonly told: ImportPart } {
  if (controlPlane.length + worker.length + etcd.length > 0)
    return { machines, told: controlPlane.length > 0 ? part({}) : withoutControlPlane(machines, strange) };
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

/** A group whose name is written wrong is one that nobody knows. */
function withoutControlPlane(machines: readonly FoundMachine[], strange: readonly string[]): ImportPart {
  const [first] = machines;
  const meant = strange.find((group) => nearest(group, ['kube_control_plane', 'kube-master']) !== undefined);
  return part({
    problems: first
      ? [
          wrongAt(
            first.place,
            `no group says which of these ${machines.length} hosts are control planes${strange.length === 0 ? '' : `; ${someOf(strange)} ${strange.length === 1 ? 'means' : 'mean'} nothing here`}`,
            meant === undefined ? 'the group kube_control_plane' : `kube_control_plane in place of ${meant}`,
          ),
        ]
      : [],
  });
}
