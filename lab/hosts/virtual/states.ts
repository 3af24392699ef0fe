import { existsSync } from 'node:fs';
import type { LabPlace } from '../../machine/place.ts';
import { isVirtual } from '../../state/shape.ts';
import type { LabState } from '../../state/state.ts';
import type { HostState } from '../host-state.ts';
import { machineDisk, runFiles } from './files.ts';
import { monitor } from './monitor.ts';
import { machineProcesses } from './processes.ts';

/** How the virtual machines of a lab are, by host. */
export async function machineStates(
  place: LabPlace,
  { name: lab, hosts }: LabState,
): Promise<ReadonlyMap<string, HostState>> {
  const virtual = hosts.filter(isVirtual);
  if (virtual.length === 0) return new Map();
  const running = await machineProcesses(place, lab);
  const states = virtual.map(async ({ name }): Promise<readonly [string, HostState]> => {
    if (running.has(name)) return [name, await ofRunning(runFiles(place, lab, name).monitor)];
    return [name, existsSync(machineDisk(place, lab, name)) ? 'off' : 'missing'];
  });
  return new Map(await Promise.all(states));
}

async function ofRunning(socket: string): Promise<HostState> {
  const told = await monitor(socket, 'query-status');
  return told.ok && told.value['status'] === 'paused' ? 'frozen' : 'running';
}
