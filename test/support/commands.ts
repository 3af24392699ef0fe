import { parse } from 'shell-quote';
import { commandLine } from '../../tasks/command-line.ts';
import { registry } from '../../tasks/registry.ts';
import { fencesOf, inlineCodeOf, type Page } from './documents.ts';

/** Words after `npx task`, as a shell would hand them over. */
export type Words = readonly string[];

const shells = /^(?:sh|)$/;

/** The command lines of this package in the blocks of a page, in their order. */
export const commandsOf = (page: Page): readonly Words[] =>
  fencesOf(page).flatMap(({ language, text }) => {
    if (language === 'console') return commandsIn(typedIn(text));
    return shells.test(language) ? commandsIn(text) : [];
  });

/** What a person types in a session: what follows `$ `, and lines that go on from there. */
const typedIn = (text: string): string =>
  [...text.matchAll(/^\$ ((?:.*\\\n)*.*)$/gm)].map(([, command = '']) => command).join('\n');

/** Those that are mentioned within a line; what must follow may be left out there. */
export const mentionsOf = (page: Page): readonly Words[] => inlineCodeOf(page).flatMap(commandsIn);

/** Every `npx task …` of a text in the language of a shell, up to a comment, a pipe or what else ends a command. */
export const commandsIn = (text: string): readonly Words[] =>
  text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) =>
      simpleCommands(line.replaceAll(/<([\w -]+)>/g, (_, name: string) => name.replaceAll(' ', '-'))),
    )
    .flatMap((words) => {
      const at = words.findIndex(
        (word, index) => word === 'task' && /^(?:npx|--no)$/.test(words[index - 1] ?? ''),
      );
      return at < 0 ? [] : [words.slice(at + 1)];
    });

function simpleCommands(line: string): readonly Words[] {
  const commands: string[][] = [[]];
  for (const part of parse(line, (name) => `$${name}`)) {
    if (typeof part === 'string') commands.at(-1)?.push(part);
    else if ('pattern' in part) commands.at(-1)?.push(part.pattern);
    else if ('op' in part) commands.push([]);
  }
  return commands;
}

/** Why the command line is not one, in its own words; undefined: it is one. */
export async function faultOf(words: Words): Promise<string | undefined> {
  const [first = ''] = words;
  if (['completion', '--help'].includes(first) || words.join() === 'help') return undefined;
  // As in a sentence about all of them.
  if (first === 'help' && ['task', 'topic'].includes(words[1] ?? '')) return undefined;
  if (!registry.has(first)) return `there is no task ${first}`;
  try {
    await commandLine(words.filter((word) => word !== '--help'));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The same, for a mention that may leave out what the task needs; its options must exist all the same. */
export async function faultOfMention(words: Words): Promise<string | undefined> {
  const [first = ''] = words;
  if (first === '' || first.startsWith('…')) return undefined;
  const fault = await faultOf(words);
  if (fault === undefined || !/^\S+ needs (?:[<[-]|a value)/.test(fault)) return fault;
  const known = Object.keys((await registry.get(first)?.())?.options ?? {});
  const unknown = words.find(
    (word) => /^--\w/.test(word) && !known.includes(word.slice(2).replace(/=.*/, '')),
  );
  return unknown && `${first} has no option ${unknown}`;
}
