import { groupNames, tasksOf } from './overview/groups.ts';
import { isTaskName, summaries, type TaskName } from './overview/summaries.ts';
import { taskEntry, type TaskEntry } from './overview/task-list.ts';
import { topics } from './overview/topics.ts';

/** What follows a word: the word, and a few words about it where the shell shows them. */
type Proposal = readonly [word: string, about: string];

/**
 * Words that fit at the end of a line, of which `line` are the words after the name of the program, the last one perhaps
 * only begun. zsh shows what stands behind a colon beside the word.
 */
export async function completions(
  line: readonly string[],
  { zsh }: { readonly zsh: boolean },
): Promise<readonly string[]> {
  const current = line.at(-1) ?? '';
  const proposals = await proposalsFor(line.slice(0, -1), current);
  return proposals
    .filter(([word]) => word.startsWith(current))
    .map(([word, about]) => (zsh && about !== '' ? `${word.replaceAll(':', '\\:')}:${about}` : word));
}

async function proposalsFor(before: readonly string[], current: string): Promise<readonly Proposal[]> {
  const name = before.find((word) => !word.startsWith('-'));
  if (name === undefined) return current.startsWith('-') ? commonOptions : allTasks;
  if (name === 'help') return [...Object.entries(topics), ...allTasks];
  return isTaskName(name) ? proposalsOf(await taskEntry(name), before, current) : [];
}

async function proposalsOf(
  task: TaskEntry,
  before: readonly string[],
  current: string,
): Promise<readonly Proposal[]> {
  const last = before.at(-1) ?? '';
  if (current.startsWith('-')) return [...optionsOf(task), ...commonOptions];
  const choices = choicesAfter(task, last);
  if (choices.length > 0) return choices.map((word) => [word, '']);
  const { namesFor } = await import('./names.ts');
  const file = fileIn(before) ?? 'cluster.yml';
  // Such an option has its value already.
  const open = /^-.*=/s.test(last) ? task.name : last;
  return (await namesFor({ task: task.name, before: open, file })).map((word) => [word, '']);
}

/** The definition that was named; bash makes a word of its own of an equals sign. */
function fileIn(words: readonly string[]): string | undefined {
  const apart = words.flatMap((word) => (/^(?:--file|-f)=./s.test(word) ? word.split(/=(.*)/s) : [word]));
  const plain = apart.filter((word) => word !== '=');
  const at = plain.findIndex((word) => word === '--file' || word === '-f');
  return at < 0 ? undefined : plain[at + 1];
}

/** Of an option that wants one of a few words, or of the first word after the task. */
function choicesAfter({ name, positionals, options }: TaskEntry, last: string): readonly string[] {
  const key = last === name ? /\w+/.exec(positionals)?.[0] : /^--(.*)$/.exec(last)?.[1];
  return (options[key ?? '']?.choices ?? []).map(String);
}

const optionsOf = ({ positionals, options }: TaskEntry): readonly Proposal[] =>
  Object.entries(options)
    .filter(([name, { hidden }]) => hidden !== true && !new RegExp(`\\b${name}\\b`).test(positionals))
    .map(([name, { describe = '' }]) => [`--${name}`, describe]);

const commonOptions: readonly Proposal[] = [
  ['--json', 'Print one event or result a line, for programs'],
  ['--quiet', 'Print only warnings, errors and results'],
  ['--help', 'Show help'],
  ['--version', 'Show the version'],
];

const allTasks: readonly Proposal[] = [
  ...groupNames.flatMap(tasksOf).map((name: TaskName): Proposal => [name, summaries[name]]),
  ['completion', 'Print a script that completes tasks, options and names'],
];
