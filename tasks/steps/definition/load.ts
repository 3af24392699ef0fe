import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import type { Templates } from '../../../generators/engine.ts';
import { load as loadText } from '../../../generators/load.ts';
import { agentPrograms } from '../../../generators/phases/kubespray/kubespray-cluster.ts';
import { showProblems } from '../../../generators/source/problems.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import { agentFolder, collectionFolder, packageRoot, templatesFolder } from '../../runtime/package.ts';
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
    report({ type: 'warning', text: unmarked(showProblems(loaded.value.warnings, text.value)) });
  return ok({ cluster: loaded.value.cluster, file: path, text: text.value });
}

/** The reporter says that these are warnings. */
const unmarked = (text: string): string => text.trimEnd().replaceAll(/^(\S+:\d+:\d+: )warning: /gm, '$1');

const definitionFailure = (report: string, count: number): Failure => ({
  kind: 'definition',
  message: `the definition has ${count} problem${count === 1 ? '' : 's'}`,
  report,
});

async function readDefinition(path: string, shown: string): Promise<Result<string, Failure>> {
  try {
    return ok(await readFile(path, 'utf8'));
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (error as Error).message;
    return failed({
      kind: 'file',
      message: `cannot read the definition ${shown}: ${reason}`,
      next: 'npx task init writes one; --file names another',
    });
  }
}

/** The texts of this package: path below templates/, or from collection/ or agent/ on → text. They are read once, and the engine compiles them once. */
export const readTemplates = (): Promise<Templates> => (templates ??= read());

let templates: Promise<Templates> | undefined;

const read = async (): Promise<Templates> => ({
  ...(await textsBelow(templatesFolder, templatesFolder)),
  ...(await textsBelow(join(collectionFolder, 'plugins'), packageRoot)),
  ...(await textsBelow(join(collectionFolder, 'meta'), packageRoot)),
  ...(await textsOf(
    agentPrograms.map((path) => join(agentFolder, path)),
    packageRoot,
  )),
  'collection/galaxy.yml': await readFile(join(collectionFolder, 'galaxy.yml'), 'utf8'),
});

async function textsBelow(folder: string, root: string): Promise<Templates> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  // What Python keeps beside its sources is no text.
  return textsOf(
    files.filter((path) => !path.endsWith('.pyc')),
    root,
  );
}

async function textsOf(files: readonly string[], root: string): Promise<Templates> {
  const pairs = files.map(async (path) => [relative(root, path), await readFile(path, 'utf8')] as const);
  return Object.fromEntries(await Promise.all(pairs));
}
