import type { Danger } from '../operations/operation.ts';

/** One run of one playbook. */
export interface Step {
  /** The playbook, without `.yml`. */
  readonly operation: string;
  /** Machines that it is about; empty: all that the playbook is for. */
  readonly targets: readonly string[];
  /** `applied`: the bundle that was applied last, since only that one knows the machine. */
  readonly from: 'wanted' | 'applied';
  /** Why, one sentence each. */
  readonly reasons: readonly string[];
  readonly danger: Danger;
  /** What a person has to name before it is run; empty without danger. */
  readonly confirm: string;
  /** Phases that are as wanted on every host once it succeeded, besides those that its name says. */
  readonly brings: readonly string[];
  /** The operation that is done as a whole once this step succeeded, whose other phases earlier runs did; else empty. */
  readonly completes: string;
  /** False: what it finds is told, and the next step is run all the same. */
  readonly required: boolean;
}

/** A step without danger. */
export const step = (
  operation: string,
  reasons: readonly string[],
  more: Partial<Omit<Step, 'operation' | 'reasons'>> = {},
): Step => ({
  operation,
  targets: [],
  from: 'wanted',
  reasons,
  danger: 'none',
  confirm: '',
  brings: [],
  completes: '',
  required: true,
  ...more,
});
