import { commandLine, type Invocation } from './command-line.ts';
import { wantsJson } from './overview/common-words.ts';
import { bugExitCode, exitCodes, type Failure } from './runtime/failures.ts';
import { readableStack } from './runtime/readable-stack.ts';
import { world, type World } from './runtime/world.ts';
import type { Outcome } from './task.ts';
import { UsageError } from './usage.ts';

/** Does what a command line asks for, and gives back the exit code; help is at most `width` characters wide. */
export async function main(argv: readonly string[], width: number): Promise<number> {
  const json = wantsJson(argv);
  try {
    const asked = await commandLine(argv, { width, print: world({ json, quiet: false }).print });
    return asked === undefined ? 0 : await perform(asked);
  } catch (error) {
    const around = world({ json, quiet: false });
    if (error instanceof UsageError) return finish({ ok: false, failure: usageFailure(error) }, around);
    around.report({ type: 'bug', stack: await readableStack(error) });
    return bugExitCode;
  }
}

const usageFailure = ({ message, next }: UsageError): Failure => ({ kind: 'usage', message, next });

async function perform({ task, values }: Invocation): Promise<number> {
  const around = world(values);
  return finish(await task.run(values as never, around), around);
}

function finish(outcome: Outcome, { report }: World): number {
  if (outcome.ok) return 0;
  report({ type: 'failed', failure: outcome.failure });
  return exitCodes[outcome.failure.kind];
}
