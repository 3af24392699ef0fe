import type { FoundMachine } from '../machines.ts';
import { part, type ImportPart } from '../part.ts';
import { field, textAt } from '../../source/foreign/look.ts';
import { doubtAt, type ForeignNode } from '../../source/foreign/node.ts';
import { sectionOf, type SectionMember } from './member.ts';
import { plainAddress, secretOf } from './nodes.ts';

/** Machines beside the cluster, and what they do. */
export interface BesideMembers {
  readonly machines: readonly FoundMachine[];
  readonly told: ImportPart;
}

/** A machine beside the cluster of which too little is known. */
export function unknownHost(node: ForeignNode, what: string, hasAddress: boolean): ImportPart {
  const { ssh } = sectionOf(node);
  const at = field(node, 'ssh_cp_name')?.place ?? { ...node.place, length: 1 };
  return part({
    problems: [
      hasAddress
        ? doubtAt(at, `which volumes the ${what} has is not known`, 'the resources of Heat')
        : doubtAt(
            at,
            `no address is known for the ${what}${ssh === '' ? '' : ` behind ${ssh}`}`,
            'the resources of Heat, or the VNF instance with `openstack port list -f json`',
          ),
    ],
  });
}

/** A machine beside the cluster. */
export function besideMachine(
  name: string,
  node: ForeignNode,
  { member, owner }: { readonly member: SectionMember; readonly owner: string },
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
