import { isEncrypted } from '../phases/kubeadm/api-server.ts';
import type { AppliedState } from './applied.ts';
import { dottedPath, inWords } from './changes.ts';
import type { Difference } from './differences.ts';
import type { Movement } from './machines.ts';
import { encryptionKey, type Snapshot } from './snapshot.ts';
import { step, type Step } from './step.ts';
import { keyOf } from './stored-key.ts';
import { isControlPlane } from '../cluster/roles.ts';

interface PlanState {
  readonly applied: Pick<AppliedState, 'phases' | 'whole'>;
  readonly wanted: Pick<Snapshot, 'cluster' | 'maintained'>;
  readonly differences: readonly Difference[];
}

/** Encryption that is left, by a bundle whose control planes all have to be there. */
export function headsMissed(
  { whole, members }: Pick<AppliedState, 'whole' | 'members'>,
  { cluster }: Pick<Snapshot, 'cluster'>,
): readonly string[] {
  const before = whole?.cluster;
  if (before === undefined || !isEncrypted(before) || isEncrypted(cluster)) return [];
  const stay = new Set(cluster.machines.map(({ name }) => name));
  return before.machines
    .filter((machine) => isControlPlane(machine) && !(members[machine.name] && stay.has(machine.name)))
    .map(
      ({ name }) =>
        `kubernetes.encryption: encryption-off asks every control plane of the definition that was applied, and ${name} is none any more: bring the definition without ${name} first, which still encrypts, and without encryption after it`,
    );
}

/** What has to be while the bundle that encrypts is still the applied one: nothing is stored under a key any more. */
export function encryptionLeaves({ applied, wanted, differences }: PlanState): readonly Step[] {
  const before = applied.whole?.cluster;
  if (before === undefined || !isEncrypted(before) || isEncrypted(wanted.cluster)) return [];
  return [step('encryption-off', reasonsOf(differences), { from: 'applied' })];
}

/** Whether what is stored may be stored under another key than the wanted one, or under none. */
export function isKeyOpen({ applied: { phases, whole }, wanted }: Omit<PlanState, 'differences'>): boolean {
  const digest = wanted.maintained?.[encryptionKey];
  const known = phases[encryptionKey];
  if (digest === undefined || known === digest) return false;
  return known !== undefined || (whole !== undefined && keyOf(whole.cluster) !== keyOf(wanted.cluster));
}

/** A control plane that joins writes with the key at once: those that are there have to read with it by then. */
export function encryptionObstacles(
  state: Omit<PlanState, 'differences'>,
  { added, replaced }: Movement,
): readonly string[] {
  const before = state.applied.whole?.cluster;
  const isBrought = before !== undefined && !isEncrypted(before) && isEncrypted(state.wanted.cluster);
  if (!isBrought && !isKeyOpen(state)) return [];
  const names = [...added, ...replaced.map(([machine]) => machine)].filter(isControlPlane);
  return names.map(
    ({ name }) =>
      `kubernetes.encryption: ${name} would encrypt Secrets before the other control planes can read them: bring ${isBrought ? 'encryption' : 'the key'} first, without ${name}`,
  );
}

/** Whether the API servers were told of keys: then another key comes before anything that relies on it. */
export const isKeyFirst = (state: Omit<PlanState, 'differences'>): boolean =>
  state.applied.whole !== undefined && isEncrypted(state.applied.whole.cluster) && isKeyOpen(state);

const reasonsOf = (differences: readonly Difference[]): readonly string[] =>
  differences
    .filter(({ change }) => dottedPath(change) === 'kubernetes.encryption.keyVariable')
    .map(
      ({ change }) =>
        `${inWords(change)} (kube-apiserver restarts on each control plane, one after the other; then every Secret is stored readable)`,
    );
