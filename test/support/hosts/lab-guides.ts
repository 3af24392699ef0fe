import { homedir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { place } from '../../../lab/machine/place.ts';
import { desk, type Desk, type DeskOptions } from '../desk.ts';
import { pages, type Page } from '../documents.ts';
import { stepsOf, take, type Command, type Step } from '../session.ts';

export const pageOf = (path: string): Page => {
  const found = pages.find((each) => each.path === path);
  if (found === undefined) throw new Error(`there is no page ${path}`);
  return found;
};

/** Every step of a page, those for hosts too. */
export const labSteps = (path: string): readonly Step[] => stepsOf(pageOf(path), true);

export interface Reader {
  /** Makes what the reader has before the first step, like hosts; says which files and variables that gives. */
  readonly before?: () => Promise<DeskOptions>;
  /** What the reader has at home before the first step. */
  readonly settle?: (at: Desk) => Promise<void>;
  /** Takes away what was made. */
  readonly after?: () => Promise<void>;
}

/**
 * Follows the steps, each a test of its own. After a command with another exit code than shown the rest is skipped; after
 * one that only printed something else they go on. What was printed is kept where a step came out otherwise.
 */
export function followed(title: string, steps: readonly Step[], reader: Reader = {}): void {
  describe(title, () => {
    let at: Desk;
    let faults = 0;
    let isOver = false;

    beforeAll(async () => {
      const { env = {}, ...options } = (await reader.before?.()) ?? {};
      at = desk({ ...options, env: { ...ofLabs(), ...env } });
      await reader.settle?.(at);
    });

    afterAll(async () => {
      if (faults === 0) at.clear();
      else process.stderr.write(`${title}: all that was printed is in ${at.transcript}\n`);
      await reader.after?.();
    });

    for (const [index, step] of steps.entries())
      test(`${index + 1}. ${nameOf(step)}`, async ({ skip }) => {
        skip(isOver, 'a command before it ended otherwise');
        const fault = await take(step, at);
        if (fault === undefined) return;
        faults += 1;
        isOver = fault.isFatal;
        expect.fail(fault.text);
      });
  });
}

const nameOf = (step: Step): string =>
  'path' in step ? `writes ${step.path}` : (step.command.split('\n')[0] ?? '');

/** Images and Kubernetes of the lab are where they are for the user who runs the tests. */
const ofLabs = (): Readonly<Record<string, string>> => ({
  PLAYSMITH_CACHE: place({ XDG_CACHE_HOME: `${homedir()}/.cache`, ...process.env }).folder.replace(
    /\/lab$/,
    '',
  ),
});

/** The steps before the first command that begins so, and those from it on. */
export function cutBefore(
  steps: readonly Step[],
  beginning: string,
): readonly [readonly Step[], readonly Step[]] {
  const at = steps.findIndex((step) => isCommand(step) && step.command.startsWith(beginning));
  if (at < 0) throw new Error(`no command begins with ${beginning}`);
  return [steps.slice(0, at), steps.slice(at)];
}

const isCommand = (step: Step): step is Command => 'command' in step;
