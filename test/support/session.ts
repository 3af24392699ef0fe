import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fencesOf, root, type Page } from './documents.ts';

/** What a page has its reader do, in order: write a file, or run a command and see what it prints. */
export type Step =
  { readonly path: string; readonly text: string } | { readonly command: string; readonly shown: string };

/** Blocks of the language `console` (commands after `$ `), and blocks that say `file=PATH` after their language. */
export const stepsOf = (page: Page): readonly Step[] =>
  fencesOf(page).flatMap(({ language, text }) => {
    const path = /\bfile=(\S+)/.exec(language)?.[1];
    if (path !== undefined) return [{ path, text: `${text}\n` }];
    return language === 'console' ? commandsOf(text) : [];
  });

const commandsOf = (text: string): readonly Step[] =>
  text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [, command = '', shown = ''] = /^((?:.*\\\n)*.*)\n?([^]*)$/.exec(part) ?? [];
      return { command, shown: shown.trimEnd() };
    });

/** Does the steps in a new folder that holds a copy of the folder `given`; a line for each that came out otherwise. */
export function follow(steps: readonly Step[], given?: string): readonly string[] {
  const place = mkdtempSync(join(tmpdir(), 'playsmith-guide-'));
  const cwd = join(place, 'project');
  mkdirSync(cwd);
  if (given !== undefined) cpSync(join(root, given), cwd, { recursive: true });
  const env = environment(place);
  let status = 0;
  return steps.flatMap((step) => {
    if ('path' in step) {
      mkdirSync(dirname(join(cwd, step.path)), { recursive: true });
      writeFileSync(join(cwd, step.path), step.text);
      return [];
    }
    const result = shell(`(exit ${status}); ${step.command}`, { cwd, env });
    ({ status } = result);
    return matches(step.shown, result.printed)
      ? []
      : [`$ ${step.command}\nshown:\n${step.shown}\nprinted:\n${result.printed}`];
  });
}

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

/** Standard output and standard error as a terminal would show them, one after the other. */
function shell(
  command: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): { readonly status: number; readonly printed: string } {
  const script = `exec 2>&1\n${command}\nstatus=$?\nprintf '\\n%s' "$status"`;
  const all = execFileSync('bash', ['-c', script], { ...options, encoding: 'utf8' });
  const at = all.lastIndexOf('\n');
  return { status: Number(all.slice(at + 1)), printed: all.slice(0, at) };
}

/** A user with nothing but git's name, for whom npx finds this package's `task`. */
function environment(place: string): Readonly<Record<string, string>> {
  const bin = join(place, 'bin');
  mkdirSync(bin);
  const cli = join(root, 'dist/tasks/cli.js');
  writeFileSync(
    join(bin, 'npx'),
    `#!/bin/sh\n[ "$1" != --no ] || shift\n[ "$1" = task ] || exit 127\nshift\nexec '${process.execPath}' '${cli}' "$@"\n`,
  );
  chmodSync(join(bin, 'npx'), 0o755);
  const name = { GIT_AUTHOR_NAME: 'Guide', GIT_AUTHOR_EMAIL: 'guide@example.org' };
  const committer = { GIT_COMMITTER_NAME: 'Guide', GIT_COMMITTER_EMAIL: 'guide@example.org' };
  return { ...name, ...committer, HOME: place, NO_COLOR: '1', PATH: `${bin}:${process.env['PATH'] ?? ''}` };
}
