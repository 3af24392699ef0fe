import type { Cluster } from '../cluster.ts';
import { resolveFleet } from '../fleet/resolve.ts';
import { resolveOsa } from '../osa/resolve.ts';
import { resolve } from '../resolve.ts';
import { ok, type Result } from '../result.ts';
import { noFiles, type Files } from './files.ts';
import type { Faults } from './fault.ts';
import { readWithWarnings, type Read } from './reader.ts';

export interface Loaded {
  readonly cluster: Cluster;
  readonly warnings: Faults;
}

/** From the text of a definition, and of the files that it names, to its cluster: every fault at once, or a cluster and what is less than ideal. */
export function load(text: string, file: string, files: Files = noFiles): Result<Loaded, Faults> {
  const result = readWithWarnings(text, file, files);
  if (!result.ok) return result;
  const { value } = result;
  return ok({ cluster: resolved(value, files), warnings: value.warnings });
}

function resolved(read: Read, files: Files): Cluster {
  switch (read.kind) {
    case 'Cluster':
      return resolve(read.definition, files);
    case 'OpenStackAnsibleMagnum':
      return resolveOsa(read.definition, files);
    case 'Fleet':
      return resolveFleet(read.definition);
  }
}
