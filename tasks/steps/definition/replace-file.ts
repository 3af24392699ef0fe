import { readFile } from 'node:fs/promises';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { decodeUtf8 } from '../../../generators/source/utf8.ts';
import type { Failure } from '../../runtime/failures.ts';
import { diskReason } from '../../runtime/folders.ts';
import { replaceDurably } from './durable.ts';
import type { DefinitionFile } from './load.ts';

/** Gives a file of the user a new text, whole or not at all. */
export async function replaceFile(path: string, text: string): Promise<Result<void, Failure>> {
  try {
    await replaceDurably(path, text);
    return ok(undefined);
  } catch (error) {
    return failed({ kind: 'file', message: `cannot write ${path}: ${diskReason(error)}` });
  }
}

/** The same for a definition, unless somebody saved it since it was read: a person may have been asked for minutes. */
export async function editDefinition(
  { file, text: before }: Pick<DefinitionFile, 'file' | 'text'>,
  text: string,
): Promise<Result<void, Failure>> {
  const now = await readFile(file).catch(() => undefined);
  return now !== undefined && decodeUtf8(now).text === before
    ? replaceFile(file, text)
    : failed({
        kind: 'file',
        message: `${file} was changed while this task was at work; nothing was written`,
        next: 'run the same task again',
      });
}
