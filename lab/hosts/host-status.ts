import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { exitFile, type Engine } from '../machine/engine.ts';
import type { LabPlace } from '../machine/place.ts';
import type { LabState } from '../state/state.ts';
import { containerName, containersOf } from './host-argv.ts';
import type { HostState } from './host-state.ts';
import { machineStates } from './virtual/states.ts';

/** The state of every host of a lab, in the order of its hosts; podman hears of those that ended without its knowing. */
export async function hostStates(
  { podman, place }: Engine,
  state: LabState,
): Promise<readonly (readonly [string, HostState])[]> {
  const listed = await podman(containersOf(state.name, 'json'));
  const containers = JSON.parse(listed.ok ? listed.value.stdout : '[]') as readonly PodmanContainer[];
  const states = new Map<string, HostState>();
  for (const { Names, ...container } of containers) {
    const state = hostState((await isLost(container)) ? await noteEnd(place, container) : container.State);
    for (const name of Names) states.set(name, state);
  }
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

/** Whether its processes are gone and podman does not know, because what watches over it for podman ended with them. */
async function isLost({ Id, Pid, State }: Omit<PodmanContainer, 'Names'>): Promise<boolean> {
  if (State !== 'running' && State !== 'paused') return false;
  const read = (name: string): Promise<string> => readFile(`/proc/${Pid}/${name}`, 'utf8').catch(() => '');
  // Another process may have its number since, and one that nobody waited for is still listed.
  return !(await read('cgroup')).includes(Id) || /^State:\s+Z/m.test(await read('status'));
}

/** Tells podman what its watcher did not live to say, without which it neither starts nor ends this host. */
async function noteEnd(place: LabPlace, { Id }: Omit<PodmanContainer, 'Names'>): Promise<string> {
  const file = exitFile(place, Id);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '137');
  return 'exited';
}

interface PodmanContainer {
  readonly Id: string;
  readonly Names: readonly string[];
  readonly Pid: number;
  readonly State: string;
}
