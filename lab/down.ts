import { existsSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ok, type Result } from '../generators/result.ts';
import { containerName, containersOf } from './hosts/host-argv.ts';
import { removeVolumes } from './hosts/host-volumes.ts';
import { removeNetwork } from './hosts/network.ts';
import { runFolder } from './hosts/virtual/files.ts';
import { endMachines } from './hosts/virtual/processes.ts';
import { detachDisks } from './hosts/volumes.ts';
import { cgroupParent, engine, type Engine } from './machine/engine.ts';
import { programFailure, type LabFailure, type OnProgress } from './machine/lab-failure.ts';
import { withLock } from './machine/lock.ts';
import { unmount } from './machine/mounts.ts';
import { isInstalled } from './machine/packages.ts';
import { place, type LabPlace } from './machine/place.ts';
import { restoreSysctls } from './machine/sysctls.ts';
import { defaultLab } from './state/lab.ts';
import { labFolder, labNames } from './state/state.ts';

/** Takes everything of a lab away, also of one that is half made or half gone. Images and packages stay for the next. */
export async function down(
  name = defaultLab,
  tell: OnProgress = () => undefined,
  where: LabPlace = place(),
): Promise<Result<void, LabFailure>> {
  return withLock(where, tell, async () => {
    tell(`Removing the lab ${name}`);
    const own = await engine(where);
    const removed = await removeHosts(own, name);
    if (!removed.ok) return removed;
    await rm(runFolder(where, name), { recursive: true, force: true });
    await detachDisks(where, name);
    await restoreSysctls(where, name);
    await rm(labFolder(where, name), { recursive: true, force: true });
    await removeCgroups(name);
    if ((await labNames(where)).length === 0) await leaveMachine(where);
    return ok(undefined);
  });
}

/** Removes a lab's hosts, their volumes and network, by label and name, so that no state is needed. */
export async function removeHosts(own: Engine, lab: string): Promise<Result<void, LabFailure>> {
  await endMachines(own.place, lab);
  // Where podman was never installed, no host was ever made.
  if (!isInstalled('podman')) return ok(undefined);
  const listed = await own.podman(containersOf(lab, '{{.ID}}'));
  if (!listed.ok) return programFailure('Listing the hosts', listed.failure);
  const ids = listed.value.stdout.split('\n').filter((id) => id !== '');
  if (ids.length > 0) {
    const words = ['rm', '--force', '--volumes', '--time', '0', ...ids];
    const tried = await own.podman(words, { timeout: 300 });
    // Of hosts that were killed beside podman, the first try finds that out.
    const removed = tried.ok ? tried : await own.podman(words, { timeout: 300 });
    if (!removed.ok) return programFailure('Removing the hosts', removed.failure);
  }
  const emptied = await removeVolumes(own, containerName(lab, ''));
  if (!emptied.ok) return emptied;
  await removeNetwork(own, lab);
  return ok(undefined);
}

/** Without a lab, nothing but the cache may stay: no mount, no folder under /run. */
async function leaveMachine({ podman, run }: LabPlace): Promise<void> {
  await unmount(join(podman, 'overlay'));
  await rm(run, { recursive: true, force: true });
  await rmdir(dirname(run)).catch(stillUsed);
  // Made by whoever first made a network namespace, and made again by whoever makes the next.
  const namespaces = await readdir('/run/netns').catch(stillUsed);
  if (namespaces?.length === 0) await unmount('/run/netns');
}

/** Removes the cgroups that podman leaves behind when a host did not start. */
async function removeCgroups(lab: string): Promise<void> {
  const roots = existsSync('/sys/fs/cgroup/cgroup.controllers')
    ? ['/sys/fs/cgroup']
    : (await readdir('/sys/fs/cgroup')).map((name) => join('/sys/fs/cgroup', name));
  for (const root of roots) {
    for (const name of [lab, 'build']) await removeTree(join(root, cgroupParent(name)));
    await rmdir(join(root, '/playsmith-lab')).catch(stillUsed);
  }
}

async function removeTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(stillUsed);
  for (const entry of entries ?? []) if (entry.isDirectory()) await removeTree(join(folder, entry.name));
  await rmdir(folder).catch(stillUsed);
}

function stillUsed(error: NodeJS.ErrnoException): undefined {
  if (!['ENOENT', 'EBUSY', 'ENOTEMPTY', 'ENOTDIR'].includes(error.code ?? '')) throw error;
}
