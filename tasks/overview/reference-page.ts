import type { Options } from 'yargs';
import type { Task } from '../task.ts';
import { groupNames } from './groups.ts';

/** docs/reference/tasks.md: every task with its options, in the order of help. */
export const tasksPage = (tasks: readonly Task[]): string =>
  [
    head,
    ...groupNames.flatMap((group) => {
      const those = tasks.filter((task) => task.group === group);
      return [`## ${titleOf(group)}\n`, ...those.map(sectionOf)];
    }),
  ].join('\n');

const head = `# Tasks

Every task, in the order of \`npx task --help\`. \`npx task help <task>\` shows the same, with what each option is when it is left out.
Every task also takes \`--json\` (one event or result a line, for programs), \`--quiet\` (only warnings, errors and results) and \`--help\`.
`;

const titleOf = (group: string): string => group.charAt(0).toUpperCase() + group.slice(1);

function sectionOf({ name, positionals, summary, example, options }: Task): string {
  const usage = `task ${`${name} ${positionals}`.trim()}`;
  const rows = Object.entries(options)
    .filter(([, { hidden }]) => hidden !== true)
    .map(([option, about]) => row(positionals.match(/[\w-]+/g)?.includes(option) ?? false, option, about));
  return [
    `### \`${name}\`\n`,
    `${summary}.\n`,
    `Usage: \`${usage}\`. Example: \`npx task ${example}\`\n`,
    ...(rows.length === 0 ? [] : ['| option | what it is |', '|---|---|', ...rows, '']),
  ].join('\n');
}

function row(isPositional: boolean, name: string, { alias, describe = '', choices }: Options): string {
  const names = isPositional ? `\`<${name}>\`` : [`\`--${name}\``, ...short(alias)].join(', ');
  const among = choices === undefined ? '' : ` (${choices.map((each) => `\`${String(each)}\``).join(', ')})`;
  return `| ${names} | ${escapeCell(describe)}${among} |`;
}

const short = (alias: Options['alias']): readonly string[] =>
  [alias ?? []].flat().map((each) => `\`-${each}\``);

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '\\<');
