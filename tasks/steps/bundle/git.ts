import process from 'node:process';
import { program, type ProgramFailure, type ProgramOutput } from '../../runtime/program.ts';
import type { Result } from '../../../generators/result.ts';

/** Asks git about the checkout that a folder lies in, and nothing else: neither GIT_DIR and its kin nor replaced objects or grafts take part. */
export const git = (words: readonly string[], cwd: string): Promise<Result<ProgramOutput, ProgramFailure>> =>
  program(['git', '--no-replace-objects', '--literal-pathspecs', ...words], { cwd, env: withoutGit() });

const withoutGit = (): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries<string | undefined>([
    ...Object.keys(process.env)
      .filter((name) => name.startsWith('GIT_') && !ways.includes(name))
      .map((name): [string, undefined] => [name, undefined]),
    ['GIT_GRAFT_FILE', '/dev/null'],
    ['GIT_TERMINAL_PROMPT', '0'],
  ]);

/** How a remote is reached says nothing of what it holds. */
const ways: readonly string[] = ['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_ASKPASS', 'GIT_SSL_CAINFO'];
