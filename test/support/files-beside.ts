import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Files } from '../../generators/definition/files.ts';
import { filesNamed } from '../../generators/definition/reader.ts';
import { ok } from '../../generators/result.ts';

/** The files that a definition in `folder` names; throws when one is not there. */
export const filesBeside = (text: string, folder: string): Files =>
  new Map(filesNamed(text).map((path) => [path, ok(readFileSync(join(folder, path), 'utf8'))]));
