import type { AppliedState } from './applied.ts';
import { reasonsFor, type Difference } from './differences.ts';
import type { Snapshot } from './snapshot.ts';
import { step, type Step } from './step.ts';

interface PlanState {
  readonly applied: Pick<AppliedState, 'phases'>;
  readonly wanted: Pick<Snapshot, 'maintained'>;
  readonly differences: readonly Difference[];
}

/** The steps that bring what comes with nothing else: packages of machines, for which nodes are drained. */
export function maintenance({ applied, wanted, differences }: PlanState): readonly Step[] {
  const open = Object.entries(wanted.maintained ?? {}).filter(
    ([phase, digest]) => applied.phases[phase] !== digest,
  );
  return open.map(([phase]) => {
    const reasons = reasonsFor(phase, differences);
    return step(phase, reasons.length > 0 ? reasons : [unknownPackages]);
  });
}

const unknownPackages = 'not every machine is known to have the packages of the definition';
