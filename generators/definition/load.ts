import type { Cluster } from '../cluster.ts';
import { resolve } from '../resolve.ts';
import { ok, type Result } from '../result.ts';
import type { Faults } from './fault.ts';
import { readWithWarnings } from './reader.ts';

export interface Loaded {
  readonly cluster: Cluster;
  readonly warnings: Faults;
}

/** From the text of a definition to its cluster: every fault at once, or a cluster and what is less than ideal. */
export function load(text: string, file: string): Result<Loaded, Faults> {
  const result = readWithWarnings(text, file);
  if (!result.ok) return result;
  const { definition, warnings } = result.value;
  return ok({ cluster: resolve(definition), warnings });
}
