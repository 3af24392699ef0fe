import type { Cluster } from '../cluster/cluster.ts';
import type { Faults } from '../source/fault.ts';
import { noFiles, type Files } from '../definition/files.ts';
import { readWithWarnings } from '../definition/reader.ts';
import { resolveFleet } from '../resolve/fleet/resolve.ts';
import { resolveOsa } from '../resolve/openstack-ansible/resolve.ts';
import { resolve } from '../resolve/cluster.ts';
import { ok, type Result } from '../result.ts';

/** The cluster of a definition as if it were installed online: offline it has no addresses to prepare artifacts from. */
export function online(text: string, file: string, files: Files = noFiles): Result<Cluster, Faults> {
  const read = readWithWarnings(text, file, files);
  if (!read.ok) return read;
  // Another kind of definition installs no Kubernetes of ours, so it needs no artifacts either.
  if (read.value.kind === 'OpenStackAnsibleMagnum') return ok(resolveOsa(read.value.definition, files));
  if (read.value.kind === 'Fleet') return ok(resolveFleet(read.value.definition));
  const { definition } = read.value;
  const { offline, ...rest } = definition;
  return ok(resolve(offline ? rest : definition, files));
}
