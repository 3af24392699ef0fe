import type { Fault, Faults } from './fault.ts';
import { maskSecrets } from './mask.ts';

export type { Fault, Faults } from './fault.ts';

/** Each fault with its line of the definition; what may be a secret is shown as `*`. */
export function showFaults(faults: Faults, text: string): string {
  const lines = maskSecrets(text).split(/\r\n|[\r\n]/);
  return faults.map((each) => show(each, lines[each.line - 1] ?? '')).join('\n');
}

const show = (fault: Fault, line: string): string => {
  const { shown, column, length } = clip(line, fault);
  const number = String(fault.line);
  const margin = ' '.repeat(number.length);
  return [
    `${fault.file}:${fault.line}:${fault.column}: ${fault.severity === 'warning' ? 'warning: ' : ''}${fault.message}`,
    `  ${number} | ${shown}`,
    `  ${margin} | ${' '.repeat(column - 1)}${'^'.repeat(length)}`,
    `  Right would be: ${fault.remedy}`,
    '',
  ].join('\n');
};

/** The part of a line that fits a terminal, with nothing in it that a terminal would obey. */
function clip(line: string, { column, length }: Fault): { shown: string; column: number; length: number } {
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
