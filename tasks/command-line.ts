import process from 'node:process';
import yargs, { type Argv } from 'yargs';
import { version } from './runtime/package.ts';
import { namesFor } from './complete.ts';
import { tasksFor } from './registry.ts';
import type { Task } from './task.ts';

/** What a command line asks for: the task, and its options as yargs read them. */
export interface Asked {
  readonly task: Task;
  readonly values: { readonly json: boolean; readonly quiet: boolean };
}

/**
 * Reads a command line, without the words before the task; nothing is run. Help is at most `width` characters wide.
 * Undefined when yargs has answered itself, as it does for `completion`. Throws an Error whose message is for the user
 * when the command line cannot be understood. Ends the process after `--help` and `--version`.
 */
export async function commandLine(argv: readonly string[], width = 100): Promise<Asked | undefined> {
  const asked: { it?: Asked } = {};
  const note = (it: Asked): void => {
    asked.it = it;
  };
  const parser = (await tasksFor(argv)).reduce((cli, task) => add(cli, task, note), frame(width));
  await parser.parse([...argv]);
  return asked.it;
}

function frame(width: number): Argv {
  return yargs()
    .scriptName('task')
    .usage('$0 <task> [options]\n\nOne cluster definition, reviewed playbooks, runs that survive.')
    .option('json', {
      type: 'boolean',
      default: false,
      describe: 'Print one event or result a line, for programs',
    })
    .option('quiet', { type: 'boolean', default: false, describe: 'Print only warnings, errors and results' })
    .version(version)
    .completion(
      'completion',
      'Print a script of bash or zsh that completes tasks, options and names',
      complete,
    )
    .alias('help', 'h')
    .wrap(Math.min(width, 110))
    .strict()
    .demandCommand(1, 'Name a task.')
    .recommendCommands()
    .exitProcess(true)
    .fail((message: string | null, error: Error | undefined) => {
      throw error ?? new Error(message ?? 'unknown option');
    });
}

/** What yargs knows fits, and names of the definition, of runs and of failures. */
function complete(
  current: string,
  argv: Readonly<Record<string, unknown>>,
  known: (done: (error: Error | null, words: string[] | undefined) => void) => void,
  done: (words: string[]) => void,
): void {
  known((_, words = []) => {
    const typed = process.argv.slice(process.argv.indexOf('--get-yargs-completions') + 2, -1);
    const [task = ''] = typed.filter((word) => !word.startsWith('-'));
    const file = typeof argv['file'] === 'string' ? argv['file'] : 'cluster.yml';
    void namesFor({ task, before: typed.at(-1) ?? '', file }).then((names) => {
      done([...names.filter((name) => name.startsWith(current)), ...words]);
    });
  });
}

/** The parser only notes what was asked for, so that an error of a task can never look like one of the command line. */
function add(cli: Argv, task: Task, note: (asked: Asked) => void): Argv {
  return cli.command(
    `${task.name} ${task.positionals}`.trim(),
    task.summary,
    (sub) => sub.options(task.options).example(`$0 ${task.example}`, ''),
    (values) => {
      note({ task, values: values as never });
    },
  );
}
