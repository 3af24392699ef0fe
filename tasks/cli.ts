#!/usr/bin/env node
import process from 'node:process';
import { hideBin } from 'yargs/helpers';
import { bugExitCode, exitCodes, type Failure } from './runtime/failures.ts';
import { world, type World } from './runtime/world.ts';
import { commandLine, type Asked } from './command-line.ts';
import type { Outcome } from './task.ts';

// Whoever reads may stop, as `head` does; what was begun is finished all the same.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await main(hideBin(process.argv));

async function main(argv: readonly string[]): Promise<number> {
  const asked = await commandLine(argv, process.stdout.columns || 100).catch(
    (error: unknown) => error as Error,
  );
  if (!(asked instanceof Error)) return asked === undefined ? 0 : perform(asked);
  const failure: Failure = { kind: 'usage', message: asked.message, next: 'npx task --help' };
  return finish({ ok: false, failure }, world({ json: false, quiet: false }));
}

async function perform({ task, values }: Asked): Promise<number> {
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
