import { nearest } from '../generators/source/nearest.ts';
import type { Task } from './task.ts';

/** A command line that cannot be understood: why, and what to type next. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly next: string;

  constructor(message: string, next = 'npx task --help') {
    super(message);
    this.next = next;
  }
}

/** `there is no task rnder; did you mean render?` */
export const unknownWord = (what: string, word: string, known: readonly string[]): string =>
  `there is no ${what} ${word}${suggestion(word, known)}`;

const suggestion = (word: string, known: readonly string[], prefix = ''): string => {
  const near = nearest(word, known);
  return near === undefined ? '' : `; did you mean ${prefix}${near}?`;
};

/** What yargs says of the words after a task, in words that name the task and what would be right. */
export function explainUsage(message: string, task: Task, argv: readonly string[]): UsageError {
  const next = `npx task ${task.name} --help`;
  return new UsageError(sentence(message, task, argv), next);
}

function sentence(message: string, task: Task, argv: readonly string[]): string {
  if (message.startsWith('Unknown argument')) return unknownArguments(task, argv) ?? message;
  if (message.startsWith('Not enough non-option arguments')) return `${task.name} needs ${task.positionals}`;
  const [, missing = ''] = /^Missing required arguments?: (.*)$/m.exec(message) ?? [];
  if (missing !== '') return `${task.name} needs ${options(missing)}`;
  const [, without = ''] =
    /^(?:Not enough arguments following|Missing argument values?): (.*)$/m.exec(message) ?? [];
  if (without !== '') return `${options(without)} needs a value`;
  const [, option = '', value = '', choices = ''] =
    /Argument: (.*), Given: (.*), Choices: (.*)/.exec(message) ?? [];
  if (choices === '') return message;
  const named = task.positionals.includes(option) ? `<${option}>` : `--${option}`;
  return `${named} is one of ${choices.replaceAll('"', '')}, not ${value.replaceAll('"', '')}`;
}

const options = (names: string): string =>
  names
    .split(', ')
    .map((name) => (name.length === 1 ? `-${name}` : `--${name}`))
    .join(', ');

/** yargs names an option without its dashes, and in a second spelling; what was typed says which it is. */
function unknownArguments(task: Task, argv: readonly string[]): string | undefined {
  const known = optionNames(task);
  const typed = argv
    .map((word) => /^--(?:no-)?([^=]+)/.exec(word)?.[1])
    .find((name) => name && !known.includes(name));
  if (typed !== undefined) return `${task.name} has no option --${typed}${suggestion(typed, known, '--')}`;
  const valued = argv.find((word) => /^--no-[^=]+=/.test(word));
  if (valued !== undefined) return `${valued.replace(/=.*/s, '')} takes no value`;
  const joined = argv.find((word) => /^-[^-][^=]/.test(word) && known.includes(word.slice(1, 2)));
  if (joined !== undefined)
    return `${task.name} has no option ${joined}; a value stands apart: ${joined.slice(0, 2)} ${joined.slice(2)}`;
  const short = argv.find((word) => /^-[^-]/.test(word) && !known.includes(word.slice(1, 2)));
  if (short !== undefined) return `${task.name} has no option ${short.slice(0, 2)}`;
  const word = extraWord(task, argv);
  if (word === undefined) return undefined;
  const file =
    /\.ya?ml$/.test(word) && known.includes('file') ? `; to name a definition: --file ${word}` : '';
  return `${task.name} takes ${task.positionals === '' ? 'no words' : task.positionals}, not also ${word}${file}`;
}

/** All that may stand behind dashes. */
export const optionNames = ({ options: all }: Task): readonly string[] => [
  ...Object.entries(all).flatMap(([name, { alias }]) => [name, ...[alias ?? []].flat()]),
  'json',
  'quiet',
  'help',
  'h',
  'version',
];

/** The first word that is no option, no value of one that was typed before it, and not the task's own. */
function extraWord(task: Task, argv: readonly string[]): string | undefined {
  const wanted = task.positionals.split(' ').filter((each) => each !== '').length;
  const words = argv.slice(argv.indexOf(task.name) + 1);
  return words.filter((word, index) => !word.startsWith('-') && !takesNext(task, words[index - 1] ?? ''))[
    wanted
  ];
}

/** Whether what follows a word is its value. */
const takesNext = ({ options: all }: Task, word: string): boolean => {
  const [, name = ''] = /^--?([^=]+)$/.exec(word) ?? [];
  const option = Object.entries(all).find(([key, { alias }]) => key === name || alias === name)?.[1];
  return option !== undefined && option.type !== 'boolean';
};
