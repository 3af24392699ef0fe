import type { Cluster } from './cluster/cluster.ts';
import { kinds } from './kinds/kinds.ts';
import { ok, type Result } from './result.ts';
import { noFiles, type Files } from './definition/files.ts';
import type { Problems } from './source/problem.ts';
import type { KindName } from './definition/kinds.ts';
import { readWithWarnings, type CheckedDefinition } from './definition/reader.ts';

export interface ClusterWithWarnings {
  readonly cluster: Cluster;
  readonly warnings: Problems;
}

/** From the text of a definition, and of the files that it names, to its cluster: every fault at once, or a cluster and what is less than ideal. */
export function load(
  text: string,
  file: string,
  files: Files = noFiles,
): Result<ClusterWithWarnings, Problems> {
  const result = readWithWarnings(text, file, files);
  if (!result.ok) return result;
  const { value } = result;
  return ok({ cluster: resolveDefinition(value, files), warnings: value.warnings });
}

/** A definition that was read, resolved by its kind. */
export const resolveDefinition = <Name extends KindName>(
  { kind, definition }: CheckedDefinition<Name>,
  files: Files,
): Cluster => kinds[kind].resolve(definition, files);
