import type { FoundMachine } from '../machines.ts';
import { part, type Part } from '../part.ts';
import { field, textAt } from '../../source/foreign/look.ts';
import { doubtAt, type Node } from '../../source/foreign/node.ts';
import { sectionOf, type Member } from './member.ts';
import { plainAddress, secretOf } from './nodes.ts';

/** Machines beside the cluster, and what they do. */
export interface Beside {
  readonly machines: readonly FoundMachine[];
  readonly told: Part;
}

/** A machine beside the cluster of which too little is known. */
export function unknownHost(node: Node, what: string, hasAddress: boolean): Part {
  const { ssh } = sectionOf(node);
  const at = field(node, 'ssh_cp_name')?.place ?? { ...node.place, length: 1 };
  return part({
    problems: [
      hasAddress
        ? doubtAt(at, `which volumes the ${what} has is not known`, 'the resources of Heat')
        : doubtAt(
            at,
            `no address is known of the ${what}${ssh === '' ? '' : ` behind ${ssh}`}`,
            'the resources of Heat, or the VNF instance with `openstack port list -f json`',
          ),
    ],
  });
}

/** A machine beside the cluster. */
export function besideMachine(
  name: string,
  node: Node,
  { member, owner }: { readonly member: Member; readonly owner: string },
): FoundMachine {
  return {
    list: 'hosts',
    name,
    roles: [],
    address: plainAddress(member.address?.text ?? ''),
    ssh: {
      host: plainAddress(member.ssh?.text ?? ''),
      user: textAt(node, 'username') ?? textAt(node, 'ssh_username'),
      password: secretOf(field(node, 'password', 'ssh_password'), owner),
    },
    more: {},
    notes: member.ids.length === 0 ? [] : [`VNFC ${member.ids[0] ?? ''}, server ${member.server}`],
    place: member.place,
    addressPlace: member.address?.place,
  };
}
