import { parseAddress } from '../../source/networks.ts';
import { keepMarks, type FoundMachine, type FoundSecret } from '../machines.ts';
import { numberName } from '../names.ts';
import { correctable, joinParts, part, type ImportPart, type Wishes } from '../part.ts';
import { entry, field, textAt } from '../../source/foreign/look.ts';
import { wrongAt, type ForeignNode } from '../../source/foreign/node.ts';
import { sectionOf, type SectionMember, type TackerCloud } from './member.ts';
import { membersOf } from './members.ts';

/** Machines of a kind, and what was wrong about them. */
export interface TackerMachines {
  readonly machines: readonly FoundMachine[];
  readonly told: ImportPart;
}

export interface NodeKind {
  readonly word: 'master' | 'worker';
  readonly node: ForeignNode;
  readonly roles: readonly string[];
}

/** The nodes of one section of the parameters. Names are those that Tacker gave, where the cluster is there already. */
export function nodesOf(kind: NodeKind, around: TackerCloud, wishes: Wishes): TackerMachines {
  const section = sectionOf(kind.node);
  const members = membersOf(section, around);
  const named = namesOf(kind, members);
  return {
    machines: named.map(({ member, right }) => machineOf(kind, member, { name: right, wishes })),
    told: joinParts([
      part({ problems: members.flatMap(({ doubts }) => doubts) }),
      missingAddresses(section, members),
      ...named
        .filter(({ name, right }) => name !== right)
        .map(({ member, name, right }) => correctable(collision(member, { name, right }), wishes)),
    ]),
  };
}

interface MemberName {
  readonly member: SectionMember;
  /** What Tacker calls it. */
  readonly name: string;
  /** The same, unless an earlier machine has that name. */
  readonly right: string;
}

function namesOf({ word }: NodeKind, members: readonly SectionMember[]): readonly MemberName[] {
  const addressed = members.filter(({ address }) => address !== undefined);
  const isThere = members.some(({ server }) => server !== '');
  const names = addressed.map((member, index) =>
    isThere ? byLastByte(word, member) : numberName(word, index, addressed.length),
  );
  return addressed.map((member, index) => {
    const name = names[index] ?? '';
    return { member, name, right: names.indexOf(name) === index ? name : byTwoBytes(word, member) };
  });
}

/** Tacker's own rule: the role and the last byte of the address. */
const byLastByte = (word: string, { address }: SectionMember): string =>
  `${word}${address?.text.split(/[.:]/).at(-1) ?? ''}`;

const byTwoBytes = (word: string, { address }: SectionMember): string =>
  `${word}${(address?.text ?? '').split(/[.:]/).slice(-2).join('-')}`;

const collision = ({ address, place }: SectionMember, { name, right }: { name: string; right: string }) =>
  wrongAt(
    address?.place ?? place,
    `Tacker names two machines ${name}, so only one of them became a node; ${address?.text ?? ''} is the other`,
    right,
  );

function missingAddresses(
  { node, nic }: ReturnType<typeof sectionOf>,
  members: readonly SectionMember[],
): ImportPart {
  const place = entry(node, 'nic_cp_name', 'ssh_cp_name')?.value.place ?? { ...node.place, length: 1 };
  const right =
    'beside this file: the VNF instance with `openstack port list -f json` or `openstack server list -f json`, or the resources of Heat';
  if (members.length === 0)
    return part({
      problems: [wrongAt(place, `nothing says which machines stand behind ${nic || 'this'}`, right)],
    });
  return part({
    problems: members
      .filter(({ address }) => address === undefined)
      .map(({ server, place: own }) =>
        wrongAt(
          { ...own, length: 1 },
          `no address is known for the server ${server || 'of this machine'}`,
          right,
        ),
      ),
  });
}

function machineOf(
  { node, word, roles }: NodeKind,
  member: SectionMember,
  { name, wishes }: { readonly name: string; readonly wishes: Wishes },
): FoundMachine {
  const { address, ssh, server, place } = member;
  const { more, notes } = marksOf(member, wishes);
  return {
    list: 'nodes',
    name,
    roles,
    address: plainAddress(address?.text ?? ''),
    ssh: {
      host: plainAddress(ssh?.text ?? ''),
      user: textAt(node, 'username'),
      userPlace: field(node, 'username')?.place,
      password: secretOf(field(node, 'password'), word.toUpperCase()),
    },
    more,
    notes: [...(server === '' ? [] : [`server ${server}`]), ...notes],
    place,
    addressPlace: address?.place,
  };
}

/** By what a node is found: its VNFC, and where it runs. In the definition once somebody of ours gives labels. */
function marksOf(
  { computeHost, zone, ids: [vnfc] }: SectionMember,
  wishes: Wishes,
): ReturnType<typeof keepMarks> {
  const known = {
    ...(vnfc === undefined ? {} : { labels: { vnfc } }),
    ...(zone === undefined ? {} : { zone }),
    ...(computeHost === undefined ? {} : { computeHost }),
  };
  return keepMarks(known, wishes.kubernetes !== '');
}

export const plainAddress = (text: string): string => parseAddress(text)?.address ?? text;

/** A password that Tacker was told: only where it is asked for from now on. */
export function secretOf(node: ForeignNode | undefined, owner: string): FoundSecret | undefined {
  return node?.kind === 'scalar' && node.text !== ''
    ? { identity: node.text, variable: '', owner }
    : undefined;
}
