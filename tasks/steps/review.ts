import { dirname, resolve } from 'node:path';
import type { Bundle } from '../../generators/bundle.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import { lastLines, program } from '../runtime/program.ts';
import { compare } from './write.ts';

/** The commit that holds the reviewed bundle; empty outside a git checkout. */
export interface Revision {
  readonly commit: string;
  /** True when the definition or the bundle differs from the commit. */
  readonly dirty: boolean;
}

/** Refuses a bundle that is not a fresh render; with `required` also what is not committed. */
export async function review(
  bundle: Bundle,
  {
    folder,
    definition,
    required,
  }: { readonly folder: string; readonly definition: string; readonly required: boolean },
): Promise<Result<Revision, Failure>> {
  const compared = await compare(bundle, folder);
  if (!compared.ok) return compared;
  const { diff } = compared.value;
  if (diff !== '')
    return failed({
      kind: 'drift',
      message: `${folder} is not what the definition renders to; nothing was run (npx task render writes it)`,
      diff,
    });
  const found = await revision([folder, definition]);
  if (required && (found.commit === '' || found.dirty.length > 0))
    return failed({
      kind: 'review',
      message:
        found.commit === ''
          ? 'the definition says review: required, but this is not a git checkout with a commit'
          : 'the definition says review: required, but these are not committed; nothing was run',
      paths: found.dirty,
    });
  return ok({ commit: found.commit, dirty: found.dirty.length > 0 });
}

async function revision(
  paths: readonly string[],
): Promise<{ readonly commit: string; readonly dirty: readonly string[] }> {
  const cwd = dirname(resolve(paths.at(-1) ?? '.'));
  const head = await program(['git', 'rev-parse', '--verify', '--quiet', 'HEAD'], { cwd });
  if (!head.ok) return { commit: '', dirty: [] };
  const status = await program(
    [
      'git',
      'status',
      '--porcelain=v1',
      '--untracked-files=all',
      '--ignored=matching',
      '--',
      ...paths.map((path) => resolve(path)),
    ],
    { cwd },
  );
  const dirty = status.ok
    ? status.value.stdout.split('\n').filter((line) => line !== '')
    : [lastLines(status.failure, 1)];
  return { commit: head.value.stdout.trim(), dirty };
}
