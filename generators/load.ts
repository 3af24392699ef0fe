import type { Cluster } from './cluster/cluster.ts';
import { resolveFleet } from './resolve/fleet/resolve.ts';
import { resolveOsa } from './resolve/openstack-ansible/resolve.ts';
import { resolve } from './resolve/cluster.ts';
import { ok, type Result } from './result.ts';
import { noFiles, type Files } from './definition/files.ts';
import type { Faults } from './source/fault.ts';
import { readWithWarnings, type Read } from './definition/reader.ts';

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
