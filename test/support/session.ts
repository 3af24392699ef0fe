import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fencesOf, type Page } from './documents.ts';
import { desk, type Desk, type DeskOptions } from './desk.ts';

export interface File {
  readonly path: string;
  readonly text: string;
}

export interface Command {
  readonly command: string;
  /** What the page shows below it, without empty lines at the end. */
  readonly shown: string;
}

/** What a page has its reader do, in order: write a file, or run a command and see what it prints. */
export type Step = File | Command;

/** A command that did not come out as the page shows it. */
export interface Fault {
  readonly text: string;
  /** Its exit code says that what follows cannot be as shown either. */
  readonly isFatal: boolean;
}

/**
 * Blocks of the language `console` (commands after `$ `, lines that go on after `> `), and blocks that say `file=PATH`
 * after their language. Blocks that say `lab` need hosts; without `inLab` they are left out.
 */
export const stepsOf = (page: Page, inLab = false): readonly Step[] =>
  fencesOf(page).flatMap(({ language, text }): readonly Step[] => {
    if (!inLab && needsLab(language)) return [];
    const path = /\bfile=(\S+)/.exec(language)?.[1];
    if (path !== undefined) return [{ path, text: `${text}\n` }];
    return /^console\b/.test(language) ? commandsOf(text) : [];
  });

/** Blocks with the word `lab` are for hosts; a reader sees no difference. */
export const needsLab = (language: string): boolean => /\s(?:.*\s)?lab\b/.test(language);

const commandsOf = (text: string): readonly Command[] =>
  text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [, command = '', more = '', shown = ''] =
        /^((?:.*\\\n)*.*)((?:\n>(?: .*)?$)*)\n?([^]*)$/m.exec(part) ?? [];
      return { command: `${command}${more.replaceAll(/\n> ?/g, '\n')}`, shown: shown.trimEnd() };
    });

/** Does the steps in a new folder that holds a copy of the folder `given`; a line for each that came out otherwise. */
export async function follow(steps: readonly Step[], given?: string): Promise<readonly string[]> {
  const at = desk(given === undefined ? {} : { given });
  const faults: string[] = [];
  for (const step of steps) {
    const fault = await take(step, at);
    if (fault !== undefined) faults.push(fault.text);
  }
  at.clear();
  return faults;
}

export type { Desk, DeskOptions };

/** Does one step; undefined: it came out as shown. */
export async function take(step: Step, at: Desk): Promise<Fault | undefined> {
  if ('path' in step) {
    const path = join(at.folder, step.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, step.text);
    return undefined;
  }
  const { status, printed } = await at.run(step.command, answersIn(step.shown));
  const isFatal = (status === 0) === failsIn(step.shown);
  if (!isFatal && matches(step.shown, printed)) return undefined;
  return {
    text: `$ ${step.command}\nended with ${status}\nshown:\n${step.shown}\nprinted:\n${printed}`,
    isFatal,
  };
}

/** A task that fails says so in a line that begins like this, and only such a one has an exit code. */
const failsIn = (shown: string): boolean => /^error: /m.test(shown);

/** What the reader types where a task asks. */
const answersIn = (shown: string): readonly string[] =>
  [...shown.matchAll(/\(yes\/no\) (\S+)$/gm)].map(([, answer = '']) => answer);

/** A line `…` stands for any lines, `…` within a line for any text of it. */
export function matches(shown: string, printed: string): boolean {
  const pattern = shown
    .split('\n')
    .map((line) =>
      line.trim() === '…'
        ? '(?:.*\\n)*?'
        : `${line.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')} *\\n`,
    );
  return new RegExp(`^${pattern.join('')}$`).test(`${printed.trimEnd()}\n`);
}
