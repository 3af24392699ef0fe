import { catalogue, codeOf, type FailureKind } from '../runtime/catalogue.ts';
import { groupNames, tasksOf } from './groups.ts';
import type { TaskEntry } from './task-list.ts';
import { topics } from './topics.ts';

/** What the page is made of besides texts of this folder. */
export interface ManPageParts {
  readonly version: string;
  readonly tasks: readonly TaskEntry[];
  /** docs/topics/environment.md, whose lists become sections of the page. */
  readonly environment: string;
}

/** playsmith(1), in the macros of man(7). It has no date: the same version is the same page. */
export const manPage = ({ version, tasks, environment }: ManPageParts): string =>
  [
    `.TH PLAYSMITH 1 "" "playsmith ${version}" "User Commands"`,
    '.SH NAME',
    'playsmith \\- one cluster definition, reviewed Ansible playbooks, runs that survive',
    '.SH SYNOPSIS',
    '.B playsmith',
    '.I task',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    text(description),
    '.SH TASKS',
    ...groupNames.flatMap((group) => [
      `.SS ${text(group.charAt(0).toUpperCase() + group.slice(1))}`,
      ...tasksOf(group).flatMap((name) => tasks.filter((task) => task.name === name).flatMap(taskLines)),
    ]),
    '.SH OPTIONS',
    ...common.flatMap(([option, about]) => item(option, about)),
    '.SH TOPICS',
    ...Object.entries(topics).flatMap(([topic, about]) => item(`playsmith help ${topic}`, plain(about))),
    '.SH EXIT STATUS',
    ...item('0', 'Done'),
    ...(Object.keys(catalogue) as FailureKind[]).flatMap((kind) =>
      item(String(codeOf(kind)), `${catalogue[kind].title} (${kind})`),
    ),
    ...sectionsOf(environment),
    '.SH SEE ALSO',
    '.BR ansible\\-playbook (1),',
    '.BR ssh (1)',
    '',
  ].join('\n');

const description =
  'Playsmith reads one definition of a cluster, writes complete Ansible playbooks and inventories for it, pushes them to an Ansible server over SFTP, runs them there over SSH, and keeps records. In a project that has it from npm, the command is "npx task" with the same words.';

const common: readonly (readonly [string, string])[] = [
  ['--json', 'Print one event or result a line, for programs'],
  ['--quiet', 'Print only warnings, errors and results'],
  ['--help', 'Show help'],
  ['--version', 'Show the version'],
];

function taskLines({ name, positionals, summary, example, options }: TaskEntry): readonly string[] {
  const isPositional = (option: string): boolean => positionals.match(/[\w-]+/g)?.includes(option) ?? false;
  const shown = Object.entries(options).filter(([, { hidden }]) => hidden !== true);
  return [
    ...item(`${name} ${positionals}`.trim(), `${summary}. Example: playsmith ${example}`),
    ...(shown.length === 0 ? [] : ['.RS']),
    ...shown.flatMap(([option, { alias, describe = '', choices }]) => {
      const names = [`--${option}`, ...[alias ?? []].flat().map((each) => `-${each}`)].join(', ');
      const among = choices === undefined ? '' : ` (${choices.map(String).join(', ')})`;
      return item(isPositional(option) ? `<${option}>` : names, `${describe}${among}`);
    }),
    ...(shown.length === 0 ? [] : ['.RE']),
  ];
}

/** The first list of the page is of variables, the second of files. */
function sectionsOf(page: string): readonly string[] {
  const lists = page.split(/\n\n+/).filter((block) => block.startsWith('- '));
  return ['ENVIRONMENT', 'FILES'].flatMap((title, index) => [
    `.SH ${title}`,
    ...(lists[index] ?? '').split(/\n(?=- )/).flatMap((each) => {
      const [, names = '', about = ''] = /^- (.*?): (.*)$/s.exec(each) ?? [];
      return item(plain(names), plain(about));
    }),
  ]);
}

/** Markdown as prose of one line; commands as they are called on this page. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll('`', '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('npx task', 'playsmith');

const item = (term: string, about: string): readonly string[] => ['.TP', `.B ${text(term)}`, text(about)];

/** A text of one line that is no request, whose dashes can be copied, and whose backslashes are shown. */
const text = (line: string): string =>
  line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replace(/^\./, '\\&.');
