import type { Problem, Problems } from './problem.ts';
import { maskSecrets } from './mask.ts';

export type { Problem, Problems } from './problem.ts';

/** Each problem with its line of the definition; what may be a secret is shown as `*`. */
export function showProblems(problems: Problems, text: string): string {
  const lines = maskSecrets(text).split(/\r\n|[\r\n]/);
  return problems.map((each) => show(each, lines[each.line - 1])).join('\n');
}

/** Without an excerpt where the text is not at hand. */
const show = (problem: Problem, line: string | undefined): string =>
  [
    `${problem.file}:${problem.line}:${problem.column}: ${problem.severity === 'warning' ? 'warning: ' : ''}${problem.message}`,
    ...(line === undefined ? [] : excerpt(problem, line)),
    `  Fix: ${problem.remedy}`,
    '',
  ].join('\n');

function excerpt(problem: Problem, line: string): readonly string[] {
  const { shown, column, length } = clip(line, problem);
  const number = String(problem.line);
  const margin = ' '.repeat(number.length);
  return [`  ${number} | ${shown}`, `  ${margin} | ${' '.repeat(column - 1)}${'^'.repeat(length)}`];
}

/** The part of a line that fits a terminal, with nothing in it that a terminal would obey. */
function clip(line: string, { column, length }: Problem): { shown: string; column: number; length: number } {
  const from = column <= width - 20 ? 0 : column - 20;
  const shown = line
    .slice(from, from + width)
    .replaceAll(unprintable, ' ')
    .trimEnd();
  const start = column - from;
  return {
    shown,
    column: start,
    length: Math.max(1, Math.min(length, width - start, shown.length - start + 1)),
  };
}

const width = 110;
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
