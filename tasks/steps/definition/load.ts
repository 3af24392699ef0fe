import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { load as loadText } from '../../../generators/load.ts';
import { showProblems } from '../../../generators/source/problems.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import { diskReason } from '../../runtime/folders.ts';
import { decodeUtf8 } from '../../../generators/source/utf8.ts';
import type { World } from '../../runtime/world.ts';
import { readFiles } from './files.ts';

export interface DefinitionFile {
  readonly cluster: Cluster;
  /** Absolute path of the definition, and its text. */
  readonly file: string;
  readonly text: string;
}

/** Reads and checks a definition; all its faults become one failure, its warnings are reported. */
export async function load(file: string, { cwd, report }: World): Promise<Result<DefinitionFile, Failure>> {
  const path = resolve(cwd, file);
  const text = await readDefinition(path, file);
  if (!text.ok) return text;
  const shown = relative(cwd, path);
  const loaded = loadText(text.value, shown, await readFiles(text.value, dirname(path)));
  if (!loaded.ok)
    return failed(definitionFailure(showProblems(loaded.failure, text.value), loaded.failure.length));
  if (loaded.value.warnings.length > 0)
    report({ type: 'warning', text: withoutMark(showProblems(loaded.value.warnings, text.value)) });
  return ok({ cluster: loaded.value.cluster, file: path, text: text.value });
}

/** The reporter says that these are warnings. */
const withoutMark = (text: string): string =>
  text.trimEnd().replaceAll(/^(\S.*?:\d+:\d+: )warning: /gm, '$1');

const definitionFailure = (report: string, count: number): Failure => ({
  kind: 'definition',
  message: `the definition has ${count} problem${count === 1 ? '' : 's'}`,
  report,
});

const unreadable = (shown: string, reason: string): Failure => ({
  kind: 'file',
  message: `cannot read the definition ${shown}: ${reason}`,
  next: 'npx task init writes one; --file names another',
});

async function readDefinition(path: string, shown: string): Promise<Result<string, Failure>> {
  try {
    const { text, wrong } = decodeUtf8(await readFile(path));
    // Of a character that no text has, the place is told later.
    return text === '' && wrong !== '' ? failed(unreadable(shown, `it ${wrong}`)) : ok(text);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isMissing ? 'there is no such file' : diskReason(error);
    return failed(unreadable(shown, reason));
  }
}
