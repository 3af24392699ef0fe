import { ok, type Result } from '../generators/result.ts';
import { describe, type LabDescription } from './hosts/describe.ts';
import type { HostState } from './hosts/host-state.ts';
import { hostStates } from './hosts/host-status.ts';
import type { LabFailure } from './machine/lab-failure.ts';
import { place, type LabPlace } from './machine/place.ts';
import { openLab } from './state/lab.ts';
import { labNames } from './state/state.ts';

export interface LabStatus {
  readonly lab: LabDescription;
  readonly hosts: readonly (LabDescription['hosts'][number] & { readonly state: HostState })[];
}

/** What a lab is and how its hosts are. */
export async function status(
  name?: string,
  where: LabPlace = place(),
): Promise<Result<LabStatus, LabFailure>> {
  const lab = await openLab(name, where);
  if (!lab.ok) return lab;
  const described = describe(lab.value);
  const states = new Map(await hostStates(lab.value.engine, lab.value.state));
  return ok({
    lab: described,
    hosts: described.hosts.map((host) => ({ ...host, state: states.get(host.name) ?? 'missing' })),
  });
}

/** The names of all labs on this machine. */
export const labs = (where: LabPlace = place()): Promise<readonly string[]> => labNames(where);
