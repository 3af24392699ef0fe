import { createInterface } from 'node:readline/promises';
import process from 'node:process';
import { commandName } from './command-name.ts';
import type { EventSink } from './events.ts';
import { printable } from './printable.ts';
import { reporter, type Reporter } from './reporters.ts';

/** What a task may use of the world around it, besides files, programs and the network. */
export interface World {
  /** Absolute; relative paths of the command line start here. */
  readonly cwd: string;
  readonly report: EventSink;
  /** Writes the result a person or a program asked for, to standard output. */
  readonly print: (text: string) => void;
  /** One event or result a line, for programs. */
  readonly json: boolean;
  readonly isTerminal: boolean;
  /** Asks on the terminal; undefined where there is none, or at end of input. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** The command line as typed, for the record. */
  readonly commandLine: readonly string[];
}

export function world(options: { readonly json: boolean; readonly quiet: boolean }): World {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY && !options.json;
  const reporting = reporter({ ...options, isTerminal });
  return {
    cwd: process.cwd(),
    report: reporting.report,
    print: (text) => {
      const shown = options.json ? inOneLine(text) : printable(text);
      process.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
    },
    json: options.json,
    isTerminal,
    ask: (question) => (isTerminal ? ask(question, reporting) : Promise.resolve(undefined)),
    commandLine: [commandName, ...process.argv.slice(2)],
  };
}

/** A program reads a JSON object a line, also where a task has only a text for it. */
export function inOneLine(text: string): string {
  try {
    if (text.startsWith('{')) return JSON.stringify(JSON.parse(text));
  } catch {
    // A text that only begins like one.
  }
  return JSON.stringify({ type: 'text', text });
}

async function ask(question: string, { hold, release }: Reporter): Promise<string | undefined> {
  hold();
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<undefined>((resolve) =>
    terminal.once('close', () => {
      resolve(undefined);
    }),
  );
  try {
    // Some releases of Node.js reject what was asked when the terminal is closed, others leave it open.
    const said = await Promise.race([terminal.question(printable(question)).catch(() => undefined), closed]);
    if (said === undefined) process.stdout.write('\n');
    return said;
  } finally {
    terminal.close();
    release();
  }
}
