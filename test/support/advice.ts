import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds } from '../../generators/kinds/kinds.ts';
import { operations } from '../../generators/operations/table.ts';
import type { Parameter } from '../../generators/phases/phase.ts';
import type { Task } from '../../tasks/task.ts';
import { optionNames } from '../../tasks/usage.ts';
import { root } from './documents.ts';

/** A text that people may read on their terminals, with what is filled in left out. */
export interface Speech {
  readonly file: string;
  readonly text: string;
}

const rooms = ['agent', 'collection/plugins', 'templates', 'tasks', 'generators', 'library', 'lab'];

/** All that speaks: sources and templates. */
export const speeches = (): readonly Speech[] =>
  rooms.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:py|sh|hbs|ts)$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => ({
        file: path.slice(root.length + 1),
        text: withoutFilled(readFileSync(path, 'utf8')),
      })),
  );

/** What a program fills in, as one word. */
export const filled = '…';

export const withoutFilled = (text: string): string =>
  text
    .replaceAll(/\\?`/g, '`')
    .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, filled)
    .replaceAll(/\{\{(?:[^{}]|\{[^{}]*\})*\}\}/g, filled)
    .replaceAll(/%[sdr]/g, filled)
    .replaceAll(/<[\w .-]+>/g, filled);

/** The words behind a task that a text names: its own, and options with their values, up to the first that is neither. */
export function adviceOn(task: Task, rest: string): readonly string[] {
  const words: string[] = [];
  for (const raw of rest.split(/[\n`'"]/)[0]?.split(' ') ?? []) {
    const word = raw.replace(/[.,;:)]+$/, '');
    const isTaken = /^--?[a-z]/.test(word) || takesValue(task, words.at(-1) ?? '') || isOwn(task, word);
    if (!isTaken) break;
    words.push(word);
    if (word !== raw) break;
  }
  return words;
}

/** What is filled in, one of the words that the task knows, or a playbook. */
const isOwn = ({ name, options, positionals }: Task, word: string): boolean =>
  word === filled ||
  (name === 'run' && playbooks.has(word)) ||
  Object.entries(options).some(
    ([key, { choices = [] }]) => positionals.includes(key) && choices.includes(word),
  );

const takesValue = ({ options }: Task, word: string): boolean => {
  const type = options[word.replace(/^--/, '')]?.type;
  return word.startsWith('--') && type !== undefined && type !== 'boolean';
};

/** What of the words the task would not take. */
export const faultsOfAdvice = (task: Task, words: readonly string[]): readonly string[] =>
  words.flatMap((word, index) => {
    const option = /^--?([a-z-]+)/.exec(word)?.[1];
    if (option === undefined) return [];
    if (!optionNames(task).includes(option)) return [`${task.name} has no option ${word}`];
    return takesValue(task, word) && words[index + 1] === undefined ? [`${word} stands without a value`] : [];
  });

const phases = Object.values(kinds).flatMap((kind) => kind.phases);
const parameters: readonly Parameter[] = phases.flatMap((phase) => phase.parameters);
const playbooks: ReadonlySet<string> = new Set([...phases, ...operations].map(({ name }) => name));

/** Why no playbook takes what a text sets; undefined: one does. */
export function faultOfSetting(variable: string, value: string): string | undefined {
  const taking = parameters.filter((each) => each.variable === variable);
  if (taking.length === 0) return `no playbook has a variable ${variable}`;
  if (value === '') return `${variable} stands without a value`;
  const fits = taking.some(({ pattern }) => new RegExp(`^(?:${pattern})$`, 'u').test(value));
  return fits || value.includes(filled) ? undefined : `${value} is no value of ${variable}`;
}

/** Each `npx task <task>` of a text with what follows it. */
export const namedTasks = (text: string): readonly (readonly [string, string])[] =>
  text
    .split('npx task ')
    .slice(1)
    .flatMap((rest) => {
      const name = /^[a-z][a-z-]*/.exec(rest)?.[0];
      return name === undefined ? [] : [[name, rest.slice(name.length + 1)] as const];
    });
