import { join } from 'node:path';
import type { LabPlace } from '../../machine/place.ts';
import { labFolder } from '../../state/state.ts';

/** What stays of a virtual machine while it is off. */
export const machineFolder = (place: LabPlace, lab: string, host: string): string =>
  join(labFolder(place, lab), 'machines', host);

export const machineDisk = (place: LabPlace, lab: string, host: string): string =>
  join(machineFolder(place, lab, host), 'disk.img');

/** What a virtual machine said on its serial console. */
export const machineConsole = (place: LabPlace, lab: string, host: string): string =>
  join(machineFolder(place, lab, host), 'console.log');

/** What is there while virtual machines run; gone when this machine has restarted. */
export const runFolder = ({ run }: LabPlace, lab: string): string => join(run, 'machines', lab);

export interface RunFiles {
  readonly pid: string;
  /** Sockets: of QEMU's monitor, and of the agent inside. */
  readonly monitor: string;
  readonly agent: string;
}

export function runFiles(place: LabPlace, lab: string, host: string): RunFiles {
  const path = (suffix: string): string => join(runFolder(place, lab), `${host}.${suffix}`);
  return { pid: path('pid'), monitor: path('monitor'), agent: path('agent') };
}
