import { type Engine } from '../machine/engine.ts';
import type { LabState } from '../state/state.ts';
import { containerName, containersOf } from './host-argv.ts';
import type { HostState } from './host-state.ts';
import { machineStates } from './virtual/states.ts';

/** The state of every host of a lab, in the order of its hosts. */
export async function hostStates(
  { podman, place }: Engine,
  state: LabState,
): Promise<readonly (readonly [string, HostState])[]> {
  const listed = await podman(containersOf(state.name, 'json'));
  const containers = JSON.parse(listed.ok ? listed.value.stdout : '[]') as readonly PodmanContainer[];
  const states = new Map(
    containers.flatMap(({ Names, State }) => Names.map((name) => [name, hostState(State)])),
  );
  const machines = await machineStates(place, state);
  return state.hosts.map(({ name }) => [
    name,
    machines.get(name) ?? states.get(containerName(state.name, name)) ?? 'missing',
  ]);
}

function hostState(word: string): HostState {
  if (word === 'running') return 'running';
  return word === 'paused' ? 'frozen' : 'off';
}

interface PodmanContainer {
  readonly Names: readonly string[];
  readonly State: string;
}
