import type { Result } from '../../generators/result.ts';
import type { LabFailure } from '../machine/lab-failure.ts';
import type { Lab } from '../state/lab.ts';

/** Something that goes wrong in a lab, and its end. Both may be asked for twice. */
export interface Fault<Where> {
  readonly summary: string;
  readonly inject: (lab: Lab, where: Where) => Promise<Result<void, LabFailure>>;
  readonly undo: (lab: Lab, where: Where) => Promise<Result<void, LabFailure>>;
}

export interface OnHost {
  readonly host: string;
}
