import type { AppliedState } from './applied.ts';
import { ownReasons, type Difference } from './differences.ts';
import { isKeyOpen } from './encryption.ts';
import type { Movement } from './machines.ts';
import { encryptionKey, type Snapshot } from './snapshot.ts';
import { step, type Step } from './step.ts';

interface PlanState {
  readonly applied: Pick<AppliedState, 'phases' | 'whole'>;
  readonly wanted: Pick<Snapshot, 'cluster' | 'maintained'>;
  readonly differences: readonly Difference[];
  /** Missing before anything was applied. */
  readonly movement?: Pick<Movement, 'added' | 'replaced'>;
}

/** The steps that bring what comes with nothing else: packages, for which nodes are drained, and a key for what is stored. */
export function maintenance({ applied, wanted, differences, movement }: PlanState): readonly Step[] {
  const come = [...(movement?.added ?? []), ...(movement?.replaced ?? []).map(([machine]) => machine)];
  const open = Object.entries(wanted.maintained ?? {}).filter(([phase, digest]) =>
    phase === encryptionKey
      ? isKeyOpen({ applied, wanted })
      : come.length > 0 || applied.phases[phase] !== digest,
  );
  return open.map(([phase]) => {
    const reasons = ownReasons(phase, differences);
    return step(phase, reasons.length > 0 ? reasons : [whyUnknown[phase] ?? '']);
  });
}

const whyUnknown: Readonly<Record<string, string>> = {
  patch: 'not every machine is known to have the packages of the definition',
  [encryptionKey]: 'not every Secret is known to be stored under the key of the definition',
};
