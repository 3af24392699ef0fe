#!/usr/bin/env node
import process from 'node:process';
import { styleText } from 'node:util';
import { wantsJson, withoutCommon } from './overview/common-words.ts';
import { screen } from './overview/screen.ts';
import { commandName } from './runtime/command-name.ts';
import { keepCompiled } from './runtime/compile-cache.ts';
import { diskReason } from './runtime/folders.ts';

// Whoever reads may stop, as `head` does; what was begun is finished all the same.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    if (stream === process.stdout)
      process.stderr.write(`error: cannot write the result: ${diskReason(error)}\n`);
    // That of every file of this machine that cannot be written.
    process.exit(6);
  });

// Help and completion answer a person who waits: the rest is loaded only when something is to be done.
const argv = process.argv.slice(2);
const [first = ''] = withoutCommon(argv);
if (/^(?:--help|-h|help)$/.test(first) && argv.every((word) => word.startsWith('-') || word === 'help'))
  process.stdout.write(
    wantsJson(argv)
      ? `${JSON.stringify({ text: screen(String, commandName) })}\n`
      : screen(bold, commandName),
  );
else if (isFolderGone()) {
  const message = 'the folder that this was started in is gone';
  const next = 'cd to a folder that is there';
  if (wantsJson(argv))
    process.stdout.write(
      `${JSON.stringify({ type: 'failed', failure: { kind: 'file', message, next }, exitCode: 6 })}\n`,
    );
  else if (first !== '--get-yargs-completions') process.stderr.write(`error: ${message}\nNext: ${next}\n`);
  process.exitCode = 6;
} else {
  keepCompiled();
  if (first === '--get-yargs-completions') await complete();
  else {
    process.exitCode = await (await import('./main.ts')).main(argv, process.stdout.columns || 100);
    // After a bug a connection may be open that nobody closes any more.
    if (process.exitCode === 70) process.exit();
  }
}

/** Node.js itself asks for it while it loads the rest, and would end with a stack. */
function isFolderGone(): boolean {
  try {
    process.cwd();
    return false;
  } catch {
    return true;
  }
}

function bold(text: string): string {
  return process.stdout.isTTY && !process.env['NO_COLOR'] ? styleText('bold', text) : text;
}

async function complete(): Promise<void> {
  const { completions } = await import('./complete.ts');
  const words = await completions(argv.slice(2), { zsh: (process.env['SHELL'] ?? '').includes('zsh') });
  if (words.length > 0) process.stdout.write(`${words.join('\n')}\n`);
}
