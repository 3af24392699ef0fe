import { createHash } from 'node:crypto';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../../generators/result.ts';
import { program } from '../../tasks/runtime/program.ts';
import { programFailure, type LabFailure } from '../machine/lab-failure.ts';
import type { LabPlace } from '../machine/place.ts';
import { isVirtual } from '../state/shape.ts';
import { labFolder, type LabState } from '../state/state.ts';

/** One disk a volume of the lab, first one first: a loop device, or a file for a virtual machine. Those that are there stay as they are. */
export async function ensureDisks(
  place: LabPlace,
  { name, shape, hosts }: LabState,
): Promise<Result<readonly string[], LabFailure>> {
  const folder = join(labFolder(place, name), 'volumes');
  const isFile = hosts.some((host) => host.roles.includes('storage') && isVirtual(host));
  const disks: string[] = [];
  for (const [index, { megabytes }] of shape.volumes.entries()) {
    const file = join(folder, `${index + 1}.img`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!existsSync(file)) {
      await writeFile(file, '', { mode: 0o600 });
      await truncate(file, megabytes * 1024 * 1024);
    }
    const disk = isFile ? ok(file) : await attach(file);
    if (!disk.ok) return disk;
    disks.push(disk.value);
  }
  return ok(disks);
}

/** The id that Cinder would have given to a volume of a lab, counted from 0. */
export const cinderVolume = (lab: string, index: number): string =>
  createHash('sha256')
    .update(`${lab}/volume/${index}`)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');

/** Detaches every loop device whose file lies in a lab's folder. */
export async function detachDisks(place: LabPlace, lab: string): Promise<void> {
  const listed = await program(['losetup', '--list', '--noheadings', '--raw', '--output', 'NAME,BACK-FILE']);
  const folder = `${labFolder(place, lab)}/`;
  const ours = (listed.ok ? listed.value.stdout : '')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, file = '']) => file.startsWith(folder));
  for (const [device = ''] of ours) await program(['losetup', '--detach', device]);
}

async function attach(file: string): Promise<Result<string, LabFailure>> {
  const there = await program(['losetup', '--noheadings', '--raw', '--output', 'NAME', '--associated', file]);
  const device = there.ok ? there.value.stdout.trim().split('\n')[0] : '';
  if (device) return ok(device);
  const attached = await program(['losetup', '--find', '--show', file]);
  return attached.ok
    ? ok(attached.value.stdout.trim())
    : programFailure('Making a disk of a file', attached.failure);
}
