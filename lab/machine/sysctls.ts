import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { absent } from './absent.ts';
import type { LabPlace } from './place.ts';

/** A kernel setting that a lab needs raised. */
export interface SysctlNeed {
  readonly key: string;
  readonly atLeast: number;
}

// systemd takes six inotify instances a host, and kubespray asks each host for 8192; podman turns forwarding on by itself, so that it is here to be undone.
export const sysctlNeeds: readonly SysctlNeed[] = [
  { key: 'fs.inotify.max_user_instances', atLeast: 8192 },
  { key: 'net.ipv4.ip_forward', atLeast: 1 },
];

export async function readSysctl(key: string): Promise<number> {
  return Number(await readFile(sysctlPath(key), 'utf8'));
}

/** Raises what is too low and remembers for whom, and what it was. */
export async function raiseSysctls(place: LabPlace, lab: string): Promise<void> {
  const kept = await readKept(place);
  for (const { key, atLeast } of sysctlNeeds) {
    const now = await readSysctl(key);
    const known = kept[key];
    if (now < atLeast) await writeFile(sysctlPath(key), String(atLeast));
    const raised = now < atLeast ? atLeast : known?.raised;
    if (raised !== undefined)
      kept[key] = { before: known?.before ?? now, raised, labs: [...new Set([...(known?.labs ?? []), lab])] };
  }
  await writeKept(place, kept);
}

/** Puts back what no other lab needs and nobody else has changed meanwhile. */
export async function restoreSysctls(place: LabPlace, lab: string): Promise<void> {
  const kept = await readKept(place);
  const left: SysctlValues = {};
  for (const [key, { before, raised, labs }] of Object.entries(kept)) {
    const others = labs.filter((other) => other !== lab);
    if (others.length > 0) left[key] = { before, raised, labs: others };
    else if ((await readSysctl(key)) === raised) await writeFile(sysctlPath(key), String(before));
  }
  await writeKept(place, left);
}

type SysctlValues = Record<
  string,
  { readonly before: number; readonly raised: number; readonly labs: readonly string[] }
>;

const sysctlPath = (key: string): string => `/proc/sys/${key.replaceAll('.', '/')}`;
const keptFile = ({ folder }: LabPlace): string => join(folder, 'sysctls.json');

async function readKept(place: LabPlace): Promise<SysctlValues> {
  const text = await readFile(keptFile(place), 'utf8').catch(absent);
  return JSON.parse(text ?? '{}') as SysctlValues;
}

async function writeKept(place: LabPlace, kept: SysctlValues): Promise<void> {
  if (Object.keys(kept).length === 0) await rm(keptFile(place), { force: true });
  else await writeFile(keptFile(place), JSON.stringify(kept, null, 2));
}
