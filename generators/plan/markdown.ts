import { inlineText, bulletList } from '../markdown.ts';
import type { Plan } from './plan.ts';
import type { Step } from './step.ts';
import { fromAndTo, stepCount } from './words.ts';

/** A plan for a merge request, as Markdown; its last line names the `id` by which `apply --plan` takes this plan and no other. */
export function planInMarkdown(plan: Plan, id: string): string {
  const sections = [
    `## Plan of cluster ${plan.cluster}: ${stepCount(plan)}`,
    `From ${fromAndTo(plan)}.`,
    plan.steps.map((step, index) => stepLine(step, index + 1)).join('\n'),
    withTitle('Needs no step', plan.unneeded),
    withTitle('Cannot be done in place', plan.refused),
    `Plan \`${id}\``,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** Reasons stand below their step, as far in as the text of its number. */
function stepLine(step: Step, number: number): string {
  const mark = `${number}. `;
  const reasons = step.reasons.map((reason) => `${' '.repeat(mark.length)}- ${inlineText(reason)}`);
  return [`${mark}${titleOf(step)}`, ...reasons].join('\n');
}

function titleOf({ operation, targets, danger, confirm }: Step): string {
  const what = `\`${[operation, ...targets].join(' ')}\``;
  return danger === 'none' ? what : `${what}, **${danger}**: needs \`--confirm ${confirm}\``;
}

const withTitle = (title: string, sentences: readonly string[]): string =>
  sentences.length === 0 ? '' : `### ${title}\n\n${bulletList(sentences.map(inlineText))}`;
