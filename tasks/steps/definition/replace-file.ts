import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import { replaceDurably } from './durable.ts';

/** Gives a file of the user a new text, whole or not at all. */
export async function replaceFile(path: string, text: string): Promise<Result<void, Failure>> {
  try {
    await replaceDurably(path, text);
    return ok(undefined);
  } catch (error) {
    return failed({ kind: 'file', message: `cannot write ${path}: ${(error as Error).message}` });
  }
}
