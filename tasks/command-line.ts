import yargs, { type Argv } from 'yargs';
import { taskName, type TaskName } from './overview/summaries.ts';
import { taskEntry } from './overview/task-list.ts';
import { isTopic, topics } from './overview/topics.ts';
import { wantsJson, withoutCommon } from './overview/common-words.ts';
import { isPositional, judge } from './judge.ts';
import { registry } from './registry.ts';
import { commandName } from './runtime/command-name.ts';
import { version } from './runtime/package.ts';
import type { Task } from './task.ts';
import { explainUsage, unknownWord, UsageError } from './usage.ts';

/** What a command line asks for: the task, and its options as yargs read them. */
export interface Invocation {
  readonly task: Task;
  readonly values: { readonly json: boolean; readonly quiet: boolean };
}

/** Where yargs answers by itself. */
export interface CommandLineScreen {
  readonly width?: number;
  /** Takes answers that are JSON. */
  readonly print?: (text: string) => void;
}

/**
 * Reads a command line, without the words before the task; nothing is run. Help is at most `width` characters wide.
 * Undefined when yargs has answered itself, as it does for `completion`. Throws a UsageError when the command line cannot
 * be understood. Ends the process after `--help` and `--version`, unless they are asked for as JSON.
 */
export async function commandLine(
  argv: readonly string[],
  { width = 100, print = () => undefined }: CommandLineScreen = {},
): Promise<Invocation | undefined> {
  const words = withoutHelp(argv);
  // yargs takes what stands behind them for nothing: `run -- haproxy` would be everything.
  if (words.includes('--')) throw new UsageError('-- has no meaning here; write the words without it');
  const task = await taskIn(words);
  const asked: { it?: Invocation } = {};
  const frame = frameOf(width, (message) => {
    if (task !== undefined) throw explainUsage(message, task, words);
    throw new UsageError(message);
  });
  const parser = task === undefined ? frame : add(frame, task, { words, note: (it) => (asked.it = it) });
  if (wantsJson(words) && answersItself(words)) print(await jsonAnswer(parser, words, task));
  else await parser.parse([...words]);
  return asked.it;
}

const onlyTwoShells = 'completion prints a script for the shell in $SHELL, bash or zsh; it takes no words';

/** `help render` is `render --help`; of a topic, `help` is a task like any other. */
function withoutHelp(argv: readonly string[]): readonly string[] {
  const [first, about = '', ...more] = withoutCommon(argv);
  if (first !== 'help' || isTopic(about) || about.startsWith('-')) return argv;
  const word = more.find((each) => !/^(?:--help|-h)$/.test(each));
  if (registry.has(about) && word !== undefined)
    throw new UsageError(`help takes [about], not also ${word}`, 'npx task help --help');
  if (registry.has(about)) return [about, '--help', ...argv.filter((each) => wantsJson([each]))];
  throw new UsageError(unknownWord('task or topic', about, [...registry.keys(), ...Object.keys(topics)]));
}

const answersItself = (words: readonly string[]): boolean =>
  words.some((word) => /^(?:--help|-h|--version)$/.test(word));

/** What yargs would print and end with, for programs. */
async function jsonAnswer(parser: Argv, words: readonly string[], task: Task | undefined): Promise<string> {
  let text = '';
  await parser.parse([...words], {}, (_error: unknown, _values: unknown, output: string) => {
    text = output;
  });
  return JSON.stringify(words.includes('--version') ? { version } : { task: task?.name, text });
}

/** The task that is asked for, loaded; undefined where yargs answers itself. */
async function taskIn(argv: readonly string[]): Promise<Task | undefined> {
  const [first = ''] = withoutCommon(argv);
  if (first === '') throw new UsageError('name a task');
  const name = first.startsWith('-')
    ? (argv.find((word) => registry.has(word)) ?? argv.find((word) => !word.startsWith('-')))
    : first;
  if (name === 'completion' && argv.length > 1) throw new UsageError(onlyTwoShells);
  if (name === undefined || name === 'completion') return undefined;
  const load = registry.get(name);
  if (load === undefined) throw new UsageError(unknownWord('task', name, [...registry.keys(), 'completion']));
  return argv.includes('--help') || argv.includes('-h') ? onlyHelp(taskName(name)) : load();
}

/** The parser shows help and ends; the task is never run. */
const onlyHelp = async (name: TaskName): Promise<Task> => ({ ...(await taskEntry(name)), run: neverRun });

const neverRun = (): never => {
  throw new Error('help was asked for');
};

function frameOf(width: number, refuse: (message: string) => never): Argv {
  return yargs()
    .scriptName(commandName)
    .usage('$0 <task> [options]')
    .option('json', {
      type: 'boolean',
      default: false,
      describe: 'Print one event or result a line, for programs',
    })
    .option('quiet', { type: 'boolean', default: false, describe: 'Print only warnings, errors and results' })
    .version(version)
    .completion('completion', 'Print a script that completes tasks, options and names in bash or zsh')
    .alias('help', 'h')
    .wrap(Math.min(width, 110))
    .locale('en')
    .parserConfiguration({ 'dot-notation': false })
    .strict()
    .demandCommand(1, 'name a task')
    .exitProcess(true)
    .fail((message: string | null, error: Error | undefined) => {
      if (error instanceof UsageError) throw error;
      refuse(error?.message ?? message ?? 'unknown option');
    });
}

/** The parser only notes what was asked for, so that an error of a task can never look like one of the command line. */
function add(
  cli: Argv,
  task: Task,
  { words, note }: { readonly words: readonly string[]; readonly note: (asked: Invocation) => void },
): Argv {
  return cli.command(
    `${task.name} ${task.positionals}`.trim(),
    task.summary,
    (sub) => sub.options(optionsOf(task)).example(`$0 ${task.example}`, ''),
    (values) => {
      judge(task, values, words);
      note({ task, values: values as never });
    },
  );
}

/**
 * An option that wants a text or a number never stands alone, and takes one word, so that others may follow. yargs makes the
 * text of the help for every command, which takes longer than most of them: only where it is asked for are options in it.
 */
const optionsOf = ({ positionals, options, run }: Task): Parameters<Argv['options']>[0] =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      name,
      {
        ...option,
        hidden: option.hidden === true || run !== neverRun,
        requiresArg: option.type !== 'boolean' && !isPositional(positionals, name),
        ...(option.array === true && !isPositional(positionals, name) ? { nargs: 1 } : {}),
      },
    ]),
  );
