import { constants } from 'node:fs';
import { copyFile, readFile, stat } from 'node:fs/promises';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import { diskReason } from '../../runtime/folders.ts';
import type { World } from '../../runtime/world.ts';
import { writeNew } from './write-new.ts';

/** A definition that is written by a program, which somebody may have edited since. */
export interface WrittenDefinition {
  readonly path: string;
  /** As it was typed. */
  readonly file: string;
  readonly text: string;
  readonly force: boolean;
}

/** Writes it, and keeps beside it what it takes the place of, where that says anything else. */
export async function writeOver(
  { path, file, text, force }: WrittenDefinition,
  { report }: Pick<World, 'report'>,
): Promise<Result<void, Failure>> {
  const kept = force ? await keepFormer(path, text) : ok('');
  if (!kept.ok) return kept;
  const written = await writeNew(path, text, force);
  if (written.ok && kept.value !== '')
    report({ type: 'note', text: `what was in ${file} is kept as ${file}${kept.value}` });
  return written;
}

/** What its copy is called behind its own name; empty: there is nothing to keep. */
async function keepFormer(path: string, text: string): Promise<Result<string, Failure>> {
  try {
    const isFile = (await stat(path)).isFile();
    if (!isFile || (await readFile(path, 'utf8')) === text) return ok('');
    return ok(await copyBeside(path));
  } catch (error) {
    // Whatever else is in the way of the text itself is told when that is written.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ok('');
    return failed({
      kind: 'file',
      message: `what is in ${path} cannot be kept beside it: ${diskReason(error)}; nothing was written`,
      next: 'move it away, or choose another --file',
    });
  }
}

async function copyBeside(path: string, number = 1): Promise<string> {
  try {
    await copyFile(path, `${path}.${number}`, constants.COPYFILE_EXCL);
    return `.${number}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return copyBeside(path, number + 1);
    throw error;
  }
}
