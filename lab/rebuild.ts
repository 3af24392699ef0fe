import { ok, type Result } from '../generators/result.ts';
import { exec } from './hosts/exec.ts';
import { containerName } from './hosts/host-argv.ts';
import { startHost } from './hosts/hosts.ts';
import { buildDisks } from './hosts/virtual/disk-image.ts';
import { removeMachine } from './hosts/virtual/machine.ts';
import { ensureDisks } from './hosts/volumes.ts';
import { buildImages } from './images/images.ts';
import { programFailure, type LabFailure, type OnProgress } from './machine/lab-failure.ts';
import { withLock } from './machine/lock.ts';
import { place, type LabPlace } from './machine/place.ts';
import { checkHost, isMachine, openLab, type Lab } from './state/lab.ts';
import { imagesOf, suitesOf } from './state/shape.ts';

/**
 * A host as a new machine in its place: its name, address and keys are those that it had, and the disks of the storage
 * host keep what is on them. All else is gone. Other hosts are left as they are, also those that are off.
 */
export async function rebuild(
  name: string,
  host: string,
  tell: OnProgress = () => undefined,
  where: LabPlace = place(),
): Promise<Result<void, LabFailure>> {
  return withLock(where, tell, async () => {
    const opened = await openLab(name, where);
    if (!opened.ok) return opened;
    const known = checkHost(opened.value, host);
    if (!known.ok) return known;
    tell(`Recreating ${host}`);
    const removed = await removeHost(opened.value, host);
    return removed.ok ? startAnew(opened.value, host, tell) : removed;
  });
}

async function removeHost(lab: Lab, host: string): Promise<Result<void, LabFailure>> {
  if (isMachine(lab, host)) return removeMachine(lab, host);
  const name = containerName(lab.state.name, host);
  const removed = await lab.engine.podman(['rm', '--force', '--ignore', '--volumes', '--time', '0', name]);
  return removed.ok ? ok(undefined) : programFailure(`Removing ${host}`, removed.failure);
}

async function startAnew(lab: Lab, name: string, tell: OnProgress): Promise<Result<void, LabFailure>> {
  const host = lab.state.hosts.find((each) => each.name === name);
  if (host === undefined) return ok(undefined);
  const images = await buildImages(lab.engine, imagesOf([host]), tell);
  if (!images.ok) return images;
  const built = await buildDisks(lab.engine.place, suitesOf([host]), tell);
  if (!built.ok) return built;
  const disks = await ensureDisks(lab.engine.place, lab.state);
  if (!disks.ok) return disks;
  const started = await startHost({ lab, images: images.value, disks: disks.value }, host, 'missing');
  return started.ok ? otherMachine(lab, name) : started;
}

/** The seed gives a host the same machine id as long as the lab lives; this is another machine. */
async function otherMachine(lab: Lab, host: string): Promise<Result<void, LabFailure>> {
  const named = await exec(lab, host, [
    'sh',
    '-c',
    'tr -d - < /proc/sys/kernel/random/uuid > /etc/machine-id',
  ]);
  return named.ok ? ok(undefined) : named;
}
