#!/usr/bin/env node
import process from 'node:process';
import yargs, { type Argv } from 'yargs';
import { hideBin } from 'yargs/helpers';
import { bugExitCode, exitCodes, type Failure } from './runtime/failures.ts';
import { version } from './runtime/package.ts';
import { world, type World } from './runtime/world.ts';
import { namesFor } from './complete.ts';
import { tasksFor } from './registry.ts';
import type { Outcome, Task } from './task.ts';

process.exitCode = await main(hideBin(process.argv));

async function main(argv: readonly string[]): Promise<number> {
  const chosen: { perform?: () => Promise<number> } = {};
  const parser = (await tasksFor(argv)).reduce((cli, task) => add(cli, task, chosen), frame());
  try {
    await parser.parse([...argv]);
  } catch (error) {
    const failure: Failure = { kind: 'usage', message: (error as Error).message, next: 'npx task --help' };
    return finish({ ok: false, failure }, world({ json: false, quiet: false }));
  }
  return (await chosen.perform?.()) ?? 0;
}

function frame(): Argv {
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
    .wrap(Math.min(process.stdout.columns || 100, 110))
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
function add(cli: Argv, task: Task, chosen: { perform?: () => Promise<number> }): Argv {
  return cli.command(
    `${task.name} ${task.positionals}`.trim(),
    task.summary,
    (sub) => sub.options(task.options).example(`$0 ${task.example}`, ''),
    (values) => {
      chosen.perform = () => perform(task, values as never);
    },
  );
}

async function perform(
  task: Task,
  values: { readonly json: boolean; readonly quiet: boolean },
): Promise<number> {
  const around = world(values);
  try {
    return finish(await task.run(values as never, around), around);
  } catch (error) {
    process.stderr.write(`error: this is a bug in playsmith: ${(error as Error).stack ?? String(error)}\n`);
    return bugExitCode;
  }
}

function finish(outcome: Outcome, { report }: World): number {
  if (outcome.ok) return 0;
  report({ type: 'failed', failure: outcome.failure });
  return exitCodes[outcome.failure.kind];
}
