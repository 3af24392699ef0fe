import type { Cluster } from '../cluster/cluster.ts';
import type { Problems } from '../source/problem.ts';
import { noFiles, type Files } from '../definition/files.ts';
import { readWithWarnings } from '../definition/reader.ts';
import { resolveDefinition } from '../load.ts';
import { resolve } from '../resolve/cluster.ts';
import { ok, type Result } from '../result.ts';

/** The cluster of a definition as if it were installed online: offline it has no addresses to prepare artifacts from. */
export function online(text: string, file: string, files: Files = noFiles): Result<Cluster, Problems> {
  const read = readWithWarnings(text, file, files);
  if (!read.ok) return read;
  const { value } = read;
  // Another kind of definition installs no Kubernetes of ours, so it needs no artifacts either.
  if (value.kind !== 'Cluster') return ok(resolveDefinition(value, files));
  const { offline, ...rest } = value.definition;
  return ok(resolve(offline ? rest : value.definition, files));
}
