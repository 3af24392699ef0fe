import process from 'node:process';
import { program, type ProgramFailure, type ProgramOutput } from './program.ts';
import type { Result } from '../../generators/result.ts';

/** Asks git about the checkout that a folder lies in, and nothing else: neither GIT_DIR and its kin nor replaced objects take part. */
export const git = (words: readonly string[], cwd: string): Promise<Result<ProgramOutput, ProgramFailure>> =>
  program(['git', '--no-replace-objects', '--literal-pathspecs', ...words], { cwd, env: withoutGit() });

const withoutGit = (): Readonly<Record<string, undefined>> =>
  Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => name.startsWith('GIT_'))
      .map((name) => [name, undefined]),
  );
