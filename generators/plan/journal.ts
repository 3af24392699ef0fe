import type { Plan } from './plan.ts';
import { sha256 } from '../digest.ts';
import type { Step } from './step.ts';

/** How far a step has come. `running` also when nobody wrote down how its run ended. */
export type StepState = 'waiting' | 'running' | 'done' | 'failed';

export interface JournalStep extends Step {
  readonly state: StepState;
  /** Its last run, or empty. */
  readonly run: string;
  /** Digest of the bundle that it is run from. */
  readonly bundle: string;
}

/** `journal.json` on the Ansible server: an apply, step by step. */
export interface Journal {
  readonly apiVersion: 'playsmith/v1';
  readonly kind: 'Journal';
  readonly cluster: string;
  /** Digest of the plan. */
  readonly plan: string;
  readonly who: string;
  readonly started: string;
  /** `open`: it goes on, or can be taken up again. */
  readonly state: 'open' | 'done' | 'failed' | 'rolled-back';
  readonly steps: readonly JournalStep[];
}

/** What a plan is known by: another one for other bundles, other steps, or another order. */
export const planDigest = (plan: Plan): string => sha256(JSON.stringify(plan));

/** The journal of a plan before its first step. */
export const journalOf = (plan: Plan, by: Pick<Journal, 'who' | 'started'>): Journal => ({
  apiVersion: 'playsmith/v1',
  kind: 'Journal',
  cluster: plan.cluster,
  plan: planDigest(plan),
  ...by,
  state: 'open',
  steps: waiting(plan.steps, plan),
});

/** Steps of which none has begun, each with the bundle that it is run from. */
export const waiting = (
  steps: readonly Step[],
  { before, after }: Pick<Plan, 'before' | 'after'>,
): readonly JournalStep[] =>
  steps.map((step) => ({
    ...step,
    state: 'waiting',
    run: '',
    bundle: step.from === 'applied' ? before : after,
  }));
