import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../generators/result.ts';
import type { Engine } from '../machine/engine.ts';
import { programFailure, type LabFailure } from '../machine/lab-failure.ts';

/**
 * Removes the volumes of hosts that are gone, by how their names begin: they outlive their container, and carry no label.
 * Also folders of which podman knows no more, because its removal of them was cut off: it would give what is left to the
 * next host as if it were new.
 */
export async function removeVolumes(
  { podman, place }: Engine,
  beginning: string,
): Promise<Result<void, LabFailure>> {
  const folder = join(place.podman, 'volumes');
  const left = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(beginning));
  if (left.length === 0) return ok(undefined);
  const listed = await podman(['volume', 'ls', '--quiet', '--filter', `name=^${beginning}`]);
  if (!listed.ok) return programFailure('Listing the volumes', listed.failure);
  const known = listed.value.stdout.split('\n').filter((name) => name !== '');
  const removed = known.length > 0 ? await podman(['volume', 'rm', '--force', ...known]) : listed;
  if (!removed.ok) return programFailure('Removing the volumes', removed.failure);
  for (const name of left) await rm(join(folder, name), { recursive: true, force: true });
  return ok(undefined);
}
