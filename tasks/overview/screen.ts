import { groupNames, groups, type HelpGroup } from './groups.ts';
import { topics } from './topics.ts';

/**
 * All tasks on one screen of eighty columns; `bold` marks what is a heading, where the terminal can show it, and `command` is
 * what one types to get here.
 */
export const screen = (bold: (text: string) => string = (text) => text, command = 'task'): string =>
  [
    'One cluster definition, reviewed playbooks, runs that survive.',
    '',
    `${bold('Usage:')} ${command} <task> [options]`,
    '',
    ...groupNames.flatMap((group) => [bold(titles[group]), ...linesOf(group)]),
    '',
    `${bold('Options:')} --json (one event or result a line), --quiet, --version, --help`,
    `${bold('Topics:')} ${pages.join(', ')}`,
    `${bold('More:')} ${['help <task>', 'help <topic>', 'help man', 'completion'].map((words) => `${command} ${words}`).join(', ')}`,
    '',
  ].join('\n');

/** That a page for man is one of them is said beside these. */
const pages = Object.keys(topics).filter((name) => name !== 'man');

const titles: Readonly<Record<HelpGroup, string>> = {
  define: 'Define',
  review: 'Review',
  run: 'Run',
  operate: 'Operate',
  look: 'Look',
  lab: 'Lab',
};

const linesOf = (group: HelpGroup): readonly string[] =>
  groups[group].map(({ tasks, brief }) => `  ${tasks.join(', ').padEnd(width)}  ${brief}`);

const width = Math.max(
  ...groupNames.flatMap((group) => groups[group].map(({ tasks }) => tasks.join(', ').length)),
);
