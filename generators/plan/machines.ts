import type { Machine } from '../cluster/cluster.ts';
import { hasAddresses, isAnother, isNode, placeOf, type AppliedState, type Member } from './applied.ts';
import type { Snapshot } from './snapshot.ts';
import { step, type Step } from './step.ts';
import { isControlPlane } from '../cluster/roles.ts';
import { isOurs } from '../operations/operation.ts';

/** Machines that came, went, or are others under their old name. */
export interface Movement {
  readonly added: readonly Machine[];
  /** Nodes by name, with what they are in as. */
  readonly removed: readonly (readonly [name: string, member: Member])[];
  readonly replaced: readonly (readonly [machine: Machine, member: Member])[];
}

/** Who is in, against who is wanted. */
export function movementOf({ members }: AppliedState, { cluster: { machines } }: Snapshot): Movement {
  const wanted = new Set(machines.map(({ name }) => name));
  return {
    added: machines.filter(({ name }) => members[name] === undefined),
    removed: Object.entries(members).filter(([name, member]) => !wanted.has(name) && isNode(member)),
    replaced: machines.flatMap((machine) => {
      const member = members[machine.name];
      return member !== undefined && isAnother(member, machine) ? [[machine, member] as const] : [];
    }),
  };
}

/** True when a machine cannot join by itself: control planes, and hosts beside the cluster. */
export const needsWhole = (machine: Machine): boolean => placeOf(machine) !== 'worker';

/** One node after the other, by the bundle that knows them still. */
export function removals({ removed }: Movement, applied: AppliedState, wanted: Snapshot): readonly Step[] {
  const workers = removed.filter(([, { roles }]) => roles.includes('worker')).map(([name]) => name);
  const last = isOurs(wanted.cluster) && !hasWorkers(applied, wanted) ? workers.at(-1) : undefined;
  return removed.map(([name, member]) =>
    step(
      'scale-in',
      [
        `${name} (${describeMachine(member)}) is no longer in the definition`,
        ...(name === last ? [lastWorker] : []),
      ],
      {
        targets: [name],
        from: 'applied',
        danger: isControlPlane(member) ? 'quorum' : 'remove',
        confirm: name,
      },
    ),
  );
}

const lastWorker =
  'no worker that is in would stay, which is refused unless --set node_preflight_minimum=0 says that none is enough';

/** Whether one of the nodes that are in, and stay, takes work. */
const hasWorkers = ({ members }: AppliedState, { cluster: { machines } }: Snapshot): boolean =>
  machines.some(({ name, roles }) => roles.includes('worker') && members[name]?.roles.includes('worker'));

/** One node after the other: its old self leaves, its new one joins. */
export const replacements = (movement: Movement, brings: readonly string[]): readonly Step[] =>
  successorsIn(movement).map(([machine, member]) =>
    step(
      'replace-node',
      [`${machine.name} (${describeMachine(member)}) becomes ${describeMachine(machine)}`],
      {
        targets: [machine.name],
        danger: isControlPlane(machine) || isControlPlane(member) ? 'quorum' : 'reset',
        confirm: machine.name,
        brings,
      },
    ),
  );

/** Nodes that would take the address of one that stays under another name: that machine is in already, and is nobody else's successor. */
export const tradedPlaces = (
  { replaced }: Movement,
  { cluster: { machines } }: Snapshot,
): readonly string[] =>
  replaced.flatMap(([machine]) => {
    const other = replaced.find(
      ([{ name }, member]) => name !== machine.name && member.address === machine.address,
    );
    if (other === undefined || !machines.includes(other[0])) return [];
    const { name } = other[0];
    return [
      `machines.${machine.name}.address: ${machine.address} is ${name}, which is in the cluster under that name: restore both addresses, or take one out first (npx task scale-in ${name}) and let it come back as ${machine.name}`,
    ];
  });

/**
 * Nodes that are others under their old name. Who stops being a control plane goes first: whoever becomes one is
 * held against all members of etcd. Machines beside the cluster are only told of.
 */
export const successorsIn = ({ replaced }: Movement): Movement['replaced'] =>
  replaced
    .filter(([machine, member]) => isNode(machine) || isNode(member))
    .toSorted((one, other) => turnOf(one) - turnOf(other));

const turnOf = ([machine, member]: Movement['replaced'][number]): number =>
  isControlPlane(machine) ? 1 : isControlPlane(member) ? 0 : 2;

/** Whoever replaces a node asks the first other control plane, and is held against all of them afterwards. */
export function controlPlanesAtOnce(
  movement: Movement,
  { members }: AppliedState,
  { cluster: { machines } }: Snapshot,
): readonly string[] {
  const successors = successorsIn(movement).map(([machine]) => machine);
  const [first, ...others] = [...successors, ...movement.added].filter(isControlPlane);
  if (first !== undefined && successors.includes(first) && others.length > 0)
    return others.map(
      ({ name }) =>
        `machines.${name}: control planes come one after the other where one takes another's place: bring ${first.name} first, and ${name} after it`,
    );
  const heads = machines.filter(isControlPlane);
  const isIn = ({ name, address }: Machine): boolean => members[name]?.address === address;
  const asked = successors.map(({ name }) => heads.find((head) => head.name !== name));
  return successors.flatMap(({ name }, turn) => {
    const head = asked[turn];
    const isThere =
      head === undefined ||
      successors.slice(0, turn).includes(head) ||
      (isIn(head) && !successors.includes(head));
    return isThere
      ? []
      : [
          `machines.${head.name}: ${name} would be replaced from there, and it is no control plane yet: name it behind those that are`,
        ];
  });
}

/** Control planes that are in, and stay what and where they are: what comes and goes is asked of one of them. */
export const lastingHeads = (
  { members }: Pick<AppliedState, 'members'>,
  { cluster: { machines } }: Pick<Snapshot, 'cluster'>,
): readonly Machine[] =>
  machines.filter((machine) => {
    const member = members[machine.name];
    return (
      isControlPlane(machine) &&
      member !== undefined &&
      isControlPlane(member) &&
      hasAddresses(member, machine)
    );
  });

/** Without one of them no node leaves, and none takes another's place. */
export function headsGone(movement: Movement, applied: AppliedState, wanted: Snapshot): readonly string[] {
  const names = [
    ...movement.removed.map(([name]) => name),
    ...successorsIn(movement).map(([{ name }]) => name),
  ];
  return names.length === 0 || lastingHeads(applied, wanted).length > 0
    ? []
    : [
        `machines: ${names.join(', ')} would leave or be replaced, and no control plane would stay under its name and at its address, where kubectl is run: keep one as it is until the new ones are in`,
      ];
}

/** All new workers at once. */
export function additions({ added }: Movement, brings: readonly string[]): readonly Step[] {
  const reasons = added.map((machine) => `${machine.name} (${describeMachine(machine)}) is new`);
  return added.length === 0
    ? []
    : [step('scale-out', reasons, { targets: added.map(({ name }) => name), brings })];
}

/** An address and roles, as a person reads them. */
export const describeMachine = ({ address, secondaryAddress = '', roles }: Member): string =>
  [address, ...(secondaryAddress === '' ? [] : [secondaryAddress]), ...roles].join(', ');

export const namesIn = ({ machines }: Snapshot['cluster']): readonly string[] =>
  machines.map(({ name }) => name);
