import { spawn } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { root } from './documents.ts';

export interface DeskOptions {
  /** A folder of this repository whose files the reader has already. */
  readonly given?: string;
  /** Variables that the reader has set. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The folder of somebody who follows a page, with a home of their own; variables that a command exports stay. */
export interface Desk {
  readonly folder: string;
  readonly home: string;
  /** Every command with what it printed. */
  readonly transcript: string;
  /** Runs a command of bash; with `answers` on a terminal, where they are typed as soon as it asks. */
  readonly run: (command: string, answers?: readonly string[]) => Promise<Printed>;
  readonly clear: () => void;
}

export interface Printed {
  readonly status: number;
  /** Standard output and standard error as a terminal shows them. */
  readonly printed: string;
}

export function desk({ given, env = {} }: DeskOptions = {}): Desk {
  const home = mkdtempSync(join(tmpdir(), 'playsmith-guide-'));
  const folder = join(home, 'project');
  mkdirSync(folder);
  if (given !== undefined) cpSync(join(root, given), folder, { recursive: true });
  const around = { cwd: folder, env: { ...environment(home), ...env } };
  const transcript = join(home, 'transcript.txt');
  let status = 0;
  return {
    folder,
    home,
    transcript,
    run: async (command, answers = []) => {
      const script = kept(join(home, 'variables'), `(exit ${status}); ${command}`);
      const began = Date.now();
      const ran = await bash(script, { ...around, answers });
      ({ status } = ran);
      const seconds = ((Date.now() - began) / 1000).toFixed(1);
      appendFileSync(transcript, `$ ${command}\n${ran.printed}\n# ${status} after ${seconds} s\n`);
      return ran;
    },
    clear: () => {
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Each command has a shell of its own; what it exports is there for the next one. */
const kept = (variables: string, command: string): string =>
  [
    `[ ! -e '${variables}' ] || . '${variables}'`,
    'exec 2>&1',
    command,
    'status=$?',
    `export -p > '${variables}'`,
    `exit "$status"`,
  ].join('\n');

interface Around {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly answers: readonly string[];
}

function bash(script: string, { cwd, env, answers }: Around): Promise<Printed> {
  const plain = ['bash', '-c', script];
  const typed = ['python3', join(import.meta.dirname, 'typist.py'), ...answers, '--', ...plain];
  const [program = '', ...words] = answers.length === 0 ? plain : typed;
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let all = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      all += chunk;
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ status: code ?? 1, printed: asSeen(all) });
    });
  });
}

/** What is left on a terminal: of a line that was drawn anew, how it was last. */
const asSeen = (text: string): string =>
  stripVTControlCharacters(text.replaceAll(/\r+\n/g, '\n'))
    .replaceAll(/[^\n]*\r/g, '')
    .trimEnd();

/** A user with nothing but git's name, for whom npx finds the `task` of the folder, else that of this package. */
function environment(home: string): Readonly<Record<string, string>> {
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const cli = join(root, 'dist/tasks/cli.js');
  const npx = `#!/bin/sh
[ "$1" != --no ] || shift
if [ "$1" = task ]; then
  shift
  if [ -e dist/tasks/cli.js ]; then exec '${process.execPath}' dist/tasks/cli.js "$@"; fi
  exec '${process.execPath}' '${cli}' "$@"
fi
[ -e node_modules ] || exit 127
PATH=\${PATH#*:} exec npx --no -- "$@"
`;
  writeFileSync(join(bin, 'npx'), npx);
  chmodSync(join(bin, 'npx'), 0o755);
  const name = { GIT_AUTHOR_NAME: 'Guide', GIT_AUTHOR_EMAIL: 'guide@example.org' };
  const committer = { GIT_COMMITTER_NAME: 'Guide', GIT_COMMITTER_EMAIL: 'guide@example.org' };
  return { ...name, ...committer, HOME: home, NO_COLOR: '1', PATH: `${bin}:${process.env['PATH'] ?? ''}` };
}
