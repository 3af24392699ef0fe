import type { Machine } from '../cluster/cluster.ts';
import { isControlPlane } from '../cluster/roles.ts';
import type { Effect } from '../operations/effect.ts';
import { digestOfMarks, lacksMarks, marking, withMarksOf } from './node-marks.ts';
import { pluginLeft } from './marks/pod-network.ts';
import { digestsOf, encryptionKey, type Snapshot, type WantedCnf } from './snapshot.ts';
import { keyAfter } from './stored-key.ts';
import { upgradeMarksAfter, type UpgradeMarks } from './marks/upgrade-marks.ts';

/** A machine that is really in: as what it entered. */
export type Member = Pick<Machine, 'address' | 'roles'> & {
  /** Missing where there is none, and in what an older Playsmith wrote. */
  readonly secondaryAddress?: string;
};

/** What is known to be on the hosts. */
export interface AppliedState extends UpgradeMarks {
  /** What was last applied as a whole; a definition that is applied in part is not here yet. Undefined: nothing ever. */
  readonly whole: Omit<Snapshot, 'phases'> | undefined;
  /** Phase → fingerprint of what it last brought to every host that it is for; empty: unknown, since a run did not finish; `reverted`. */
  readonly phases: Readonly<Record<string, string>>;
  /** Name → the machine as it entered. */
  readonly members: Readonly<Record<string, Member>>;
  /** Nodes that a run began to take in and did not, which may be in all the same; missing where there is none. */
  readonly begun?: readonly string[];
  /** Of Kubernetes, or empty. */
  readonly version: string;
  /** The pod network's plugin that stayed when the definition no longer named it; missing where there is none. */
  readonly plugin?: string;
  /** Digest of the labels and taints that kubespray was told last; missing where it never was. */
  readonly marked?: string;
  /** Name → a CNF that is, or may be, in the cluster; missing in what an older Playsmith wrote. */
  readonly cnfs?: Readonly<Record<string, AppliedCnf>>;
}

/** A CNF where it was instantiated. Its digest is empty when a change of it did not end, or `reverted`. */
export interface AppliedCnf extends WantedCnf {
  /** True once it was ready. */
  readonly isUp: boolean;
}

/** One run that may have changed hosts. The server writes it down when the run begins, and again when it ends. */
export interface Fact {
  readonly run: string;
  /** Without `.yml`. */
  readonly operation: string;
  readonly targets: readonly string[];
  readonly bundle: string;
  readonly effect: Effect;
  /** `running` also when nobody wrote down how it ended. */
  readonly status: string;
  readonly recap: Readonly<Record<string, { readonly failed: number; readonly unreachable: number }>>;
}

/** In place of a digest: etcd went back to a snapshot, which may know less than a run brought. */
export const revertMark = 'reverted';

/** Whether nobody knows what is left of it. */
export const isUnknown = (digest: string | undefined): boolean => digest === '' || digest === revertMark;

/** Before any run. */
export const nothingApplied: AppliedState = { whole: undefined, phases: {}, members: {}, version: '' };

/** What is on the hosts after a run of a bundle. */
export function appliedAfter(before: AppliedState, fact: Fact, snapshot: Snapshot): AppliedState {
  const isDone = fact.status === 'successful';
  const { enters, leaves, version } = fact.effect;
  const entered = isDone ? enters : fact.effect.each ? enters.filter((name) => isFine(fact, name)) : [];
  const left = isDone ? leaves : [];
  const begun = begunAfter(before, { entered, left, entering: enters }, snapshot);
  const isMarking = isDone && fact.effect.brings.includes(marking);
  const marked = isMarking ? digestOfMarks(snapshot.cluster) : before.marked;
  const after: AppliedState = {
    whole: before.whole,
    phases: {
      ...phasesAfter({ ...before.phases, ...keyAfter(before, fact.operation, snapshot) }, fact, snapshot),
      ...overtaken(before, entered, snapshot),
    },
    members: membersAfter(before.members, { entered, left }, snapshot),
    ...(begun.length === 0 ? {} : { begun }),
    version: isDone && version !== '' ? version : before.version,
    ...upgradeMarksAfter(before, fact),
    ...(marked === undefined ? {} : { marked }),
    ...(before.plugin === undefined ? {} : { plugin: before.plugin }),
    cnfs: cnfsAfter(before.cnfs ?? {}, fact, snapshot),
  };
  if (isDone && leaves.length > 0 && Object.keys(after.members).length === 0) return nothingApplied;
  return isSettled(after, snapshot) ? withWhole(after, wholeOf(after, snapshot), snapshot) : after;
}

interface RunMovement {
  readonly entering: readonly string[];
  readonly entered: readonly string[];
  readonly left: readonly string[];
}

function begunAfter(
  { begun = [], members }: AppliedState,
  { entering, entered, left }: RunMovement,
  { cluster: { machines } }: Snapshot,
): readonly string[] {
  const nodes = machines.filter(isNode).map(({ name }) => name);
  const open = entering.filter((name) => nodes.includes(name) && members[name] === undefined);
  return [...new Set([...begun, ...open])].filter((name) => !entered.includes(name) && !left.includes(name));
}

/** Only a host that ran to the end of a playbook that ended is known to be fine. */
const isFine = ({ status, recap }: Fact, name: string): boolean => {
  const host = recap[name];
  return (status === 'failed' || status === 'unreachable') && host?.failed === 0 && host.unreachable === 0;
};

function cnfsAfter(
  before: NonNullable<AppliedState['cnfs']>,
  { status, effect }: Fact,
  { cnfs: wanted = {} }: Snapshot,
): NonNullable<AppliedState['cnfs']> {
  const { brings, drops } = effect.cnfs ?? { brings: [], drops: [] };
  const isDone = status === 'successful';
  const after = new Map(isDone && drops.includes('*') ? [] : Object.entries(before));
  for (const name of brings) {
    const cnf = wanted[name];
    const old = after.get(name);
    if (cnf === undefined) continue;
    if (isDone) after.set(name, { ...cnf, isUp: true });
    // What was there before stays where it is, whatever became of the change.
    else after.set(name, { ...(old ?? { ...cnf, isUp: false }), digest: '' });
  }
  for (const name of drops) if (isDone) after.delete(name);
  const isReverted = effect.reverts !== undefined;
  for (const [name, cnf] of isReverted ? after : [])
    after.set(name, { ...cnf, digest: cnf.digest && revertMark });
  return Object.fromEntries(after);
}

/** Of a machine that came nobody knows whether it has what is only brought to machines by a step of its own. */
function overtaken(
  { members }: AppliedState,
  entered: readonly string[],
  { cluster, maintained = {} }: Snapshot,
): AppliedState['phases'] {
  const came = cluster.machines.filter(({ name }) => entered.includes(name));
  const isNew = came.some((machine) => !isSame(members[machine.name], machine));
  const phases = Object.keys(maintained).filter((phase) => phase !== encryptionKey);
  return Object.fromEntries(isNew ? phases.map((phase) => [phase, '']) : []);
}

function phasesAfter(
  before: AppliedState['phases'],
  { status, effect }: Fact,
  snapshot: Snapshot,
): AppliedState['phases'] {
  const phases = digestsOf(snapshot);
  const after = new Map(Object.entries(before));
  for (const phase of effect.touches) if (after.get(phase) !== phases[phase]) after.set(phase, '');
  for (const phase of effect.brings) after.set(phase, status === 'successful' ? (phases[phase] ?? '') : '');
  for (const phase of effect.reverts ?? []) if (after.get(phase)) after.set(phase, revertMark);
  return Object.fromEntries(after);
}

function membersAfter(
  before: AppliedState['members'],
  { entered, left }: { readonly entered: readonly string[]; readonly left: readonly string[] },
  { cluster }: Snapshot,
): AppliedState['members'] {
  const wanted = new Map(cluster.machines.map((machine) => [machine.name, memberOf(machine)]));
  const added = entered.flatMap((name) => {
    const member = wanted.get(name);
    return member === undefined ? [] : [[name, member] as const];
  });
  const after = new Map([...Object.entries(before), ...added]);
  // What stands beside the cluster is left by leaving the definition.
  const beside = [...after].filter(([name, member]) => !wanted.has(name) && !isNode(member));
  for (const name of [...left, ...beside.map(([each]) => each)]) after.delete(name);
  return Object.fromEntries(after);
}

const memberOf = ({ address, secondaryAddress, roles }: Machine): Member => ({
  address,
  ...(secondaryAddress === '' ? {} : { secondaryAddress }),
  roles,
});

/** What a machine does besides came to it with the phases; it entered as something else. */
function withWhole(after: AppliedState, whole: AppliedState['whole'], snapshot: Snapshot): AppliedState {
  const entered = snapshot.cluster.machines.map(({ name }) => name);
  const { plugin: _before, ...rest } = after;
  const plugin = pluginLeft(after, snapshot.cluster);
  const left = plugin === undefined ? {} : { plugin };
  return { ...rest, ...left, whole, members: membersAfter(after.members, { entered, left: [] }, snapshot) };
}

/** True when there is nothing left between what is applied and what a bundle wants. */
const isSettled = ({ phases, members, version }: AppliedState, { cluster, ...wanted }: Snapshot): boolean =>
  Object.entries(wanted.phases).every(([phase, fingerprint]) => phases[phase] === fingerprint) &&
  version === cluster.kubernetes.version &&
  Object.keys(members).length === cluster.machines.length &&
  cluster.machines.every((machine) => {
    const member = members[machine.name];
    return member !== undefined && !isAnother(member, machine);
  });

/** A node at another address, or in another place of the cluster; what a control plane does besides changes in place. */
export function isAnother(member: Member, machine: Member): boolean {
  if (isSame(member, machine)) return false;
  return !hasAddresses(member, machine) || placeOf(member) !== placeOf(machine);
}

/** Machines beside the cluster have none. */
export const placeOf = (machine: Pick<Member, 'roles'>): string =>
  isControlPlane(machine) ? 'control-plane' : machine.roles.includes('worker') ? 'worker' : '';

/** True for what runs a kubelet. */
export const isNode = ({ roles }: Pick<Member, 'roles'>): boolean =>
  roles.includes('control-plane') || roles.includes('worker');

/** True when a machine is in as what it is wanted. */
export const isSame = (member: Member | undefined, machine: Member): boolean =>
  member !== undefined && hasAddresses(member, machine) && member.roles.join() === machine.roles.join();

/** True when a machine has the addresses that it entered with. */
export const hasAddresses = (member: Member, { address, secondaryAddress = '' }: Member): boolean =>
  member.address === address && (member.secondaryAddress ?? '') === secondaryAddress;

/** Marks that a run did not bring are asked for by the next plan. */
function wholeOf(
  { whole, marked }: AppliedState,
  { bundle, made, cluster }: Snapshot,
): AppliedState['whole'] {
  const isMarked = marked === digestOfMarks(cluster) || !lacksMarks(whole?.cluster, cluster);
  return { bundle, made, cluster: isMarked ? cluster : withMarksOf(whole?.cluster, cluster) };
}
