import type { Plan } from './plan.ts';
import type { Step } from './step.ts';

/** A plan as a person reads it. */
export function planText(plan: Plan): string {
  const sections = [
    heading(plan),
    ...plan.steps.map((step, index) => stepText(step, index + 1)),
    listing('Needs no step', plan.unneeded),
    listing('Cannot be done in place', plan.refused),
  ];
  return sections.filter((section) => section !== '').join('\n');
}

const heading = (plan: Plan): string => `${plan.cluster}: ${stepCount(plan)}, from ${fromAndTo(plan)}`;

export const stepCount = ({ steps }: Plan): string =>
  steps.length === 0 ? 'nothing to do' : `${steps.length} step${steps.length === 1 ? '' : 's'}`;

/** `nothing applied yet to bundle 0123456789ab`. */
export const fromAndTo = ({ before, after }: Plan): string =>
  `${before === '' ? 'nothing applied yet' : `bundle ${before.slice(0, 12)}`} to bundle ${after.slice(0, 12)}`;

function stepText(step: Step, number: number): string {
  return [
    `${String(number).padStart(3)}. ${titleOf(step)}`,
    ...step.reasons.map((reason) => `       ${reason}`),
  ].join('\n');
}

/** `scale-in worker03 (remove: --confirm worker03)`. */
export function titleOf({ operation, targets, danger, confirm }: Step): string {
  const what = [operation, ...targets].join(' ');
  return danger === 'none' ? what : `${what}  !! ${danger}: --confirm ${confirm}`;
}

const listing = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [`${title}:`, ...lines.map((line) => `  ${line}`)].join('\n');
