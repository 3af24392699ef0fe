import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type {
  ImportedDefinition,
  RefusedImport,
  ConclusionSettings,
} from '../../../generators/import/conclude.ts';
import { showAll } from '../../../generators/import/masked.ts';
import type { Wishes } from '../../../generators/import/part.ts';
import type { Text } from '../../../generators/source/foreign/node.ts';
import { load } from '../../../generators/load.ts';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import type { Result } from '../../../generators/result.ts';

const root = join(import.meta.dirname, '../../fixtures/import');

/** Files and folders of test/fixtures/import, as the task would hand them in. */
export const fixtures = (...paths: readonly string[]): Text[] =>
  paths.flatMap((path) => filesOf(join(root, path)));

function filesOf(path: string): Text[] {
  if (!statSync(path).isDirectory())
    return [{ file: relative(root, path), text: readFileSync(path, 'utf8') }];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesOf(join(path, name)));
}

export const wishing = (wishes: Partial<Wishes> = {}): ConclusionSettings => ({
  wishes: {
    fix: false,
    name: '',
    vip: '',
    nodeSubnet: '',
    ansibleServer: '',
    user: '',
    kubernetes: '',
    ...wishes,
  },
  target: 'cluster.yml',
  schema: 'schema.json',
});

/** What an import made; throws with its problems where it made nothing. */
export function made(result: Result<ImportedDefinition, RefusedImport>): ImportedDefinition {
  if (result.ok) return result.value;
  throw new Error(result.failure.problems.map(({ message }) => message).join('\n'));
}

/** The cluster of an imported definition. */
export function clusterOf(result: Result<ImportedDefinition, RefusedImport>): Cluster {
  const loaded = load(made(result).text, 'cluster.yml');
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.failure));
  return loaded.value.cluster;
}

/** What is printed when an import is refused. */
export const refusal = (result: Result<ImportedDefinition, RefusedImport>, texts: readonly Text[]): string =>
  result.ok
    ? ''
    : showAll(result.failure.problems, [...texts, { file: 'cluster.yml', text: result.failure.draft }]);
