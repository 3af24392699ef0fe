import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { ok, type Result } from '../../../generators/result.ts';
import { program } from '../../../tasks/runtime/program.ts';
import { programFailure, type LabFailure } from '../../machine/lab-failure.ts';
import type { Lab } from '../../state/lab.ts';
import { runsKubelet, suiteOf } from '../../state/shape.ts';
import type { StoredHost } from '../../state/state.ts';
import { containerName, macAddress } from '../host-argv.ts';
import type { HostState } from '../host-state.ts';
import { bridgeOf } from '../network.ts';
import { cinderVolume } from '../volumes.ts';
import { accelerator } from './accelerator.ts';
import { qemuArgv, type VirtualMachine } from './argv.ts';
import { diskImage } from './disk-image.ts';
import { makeDisk } from './disk.ts';
import { machineConsole, machineDisk, machineFolder, runFiles, runFolder } from './files.ts';
import { monitor } from './monitor.ts';
import { endMachines } from './processes.ts';

/** Starts a virtual machine, or lets it go on; its network cable is in the lab's bridge afterwards. */
export async function startMachine(
  lab: Lab,
  host: StoredHost,
  { state, volumes }: { readonly state: HostState; readonly volumes: readonly string[] },
): Promise<Result<void, LabFailure>> {
  const { place } = lab.engine;
  if (state === 'frozen') {
    const woken = await freezeMachine(lab, host.name, false);
    if (!woken.ok) return woken;
  }
  if (state === 'missing') {
    const made = await makeDisk(lab, host);
    if (!made.ok) return made;
  }
  if (state === 'missing' || state === 'off') {
    await mkdir(runFolder(place, lab.state.name), { recursive: true, mode: 0o700 });
    const started = await program(qemuArgv(await machineOf(lab, host, volumes)));
    if (!started.ok) return programFailure(`Starting ${host.name}`, started.failure);
  }
  return intoBridge(lab, host);
}

/** Everything in it dies at once, what it has written is kept. */
export async function cutPower(lab: Lab, host: string): Promise<Result<void, never>> {
  await endMachines(lab.engine.place, lab.state.name, [host]);
  return ok(undefined);
}

export async function freezeMachine(
  lab: Lab,
  host: string,
  isFrozen: boolean,
): Promise<Result<void, LabFailure>> {
  const told = await monitor(monitorOf(lab, host), isFrozen ? 'stop' : 'cont');
  return told.ok ? ok(undefined) : told;
}

/** Pulls the network cable, or plugs it in, as the guest sees it. */
export async function plugMachine(
  lab: Lab,
  host: string,
  isPlugged: boolean,
): Promise<Result<void, LabFailure>> {
  const told = await monitor(monitorOf(lab, host), 'set_link', { name: 'eth0', up: isPlugged });
  return told.ok ? ok(undefined) : told;
}

/** Ends a virtual machine and removes its disk; its volumes are the lab's and stay. */
export async function removeMachine(lab: Lab, host: string): Promise<Result<void, never>> {
  await cutPower(lab, host);
  await rm(machineFolder(lab.engine.place, lab.state.name, host), { recursive: true, force: true });
  return ok(undefined);
}

const monitorOf = ({ engine: { place }, state }: Lab, host: string): string =>
  runFiles(place, state.name, host).monitor;

async function machineOf(lab: Lab, host: StoredHost, volumes: readonly string[]): Promise<VirtualMachine> {
  const { place } = lab.engine;
  const { name } = lab.state;
  const image = await diskImage(place, suiteOf(host));
  return {
    name: containerName(name, host.name),
    uuid: uuidOf(`${name}/${host.name}/${host.hostKey}`),
    accelerator: await accelerator(place, image),
    megabytes: megabytesOf(host),
    kernel: image.kernel,
    initrd: image.initrd,
    disk: machineDisk(place, name, host.name),
    // As a volume of Cinder is seen in a server of OpenStack.
    volumes: volumes.map((file, index) => ({ file, serial: cinderVolume(name, index).slice(0, 20) })),
    tap: tapName(lab, host.name),
    mac: macAddress(host.address),
    console: machineConsole(place, name, host.name),
    run: runFiles(place, name, host.name),
  };
}

/** Memory of a virtual machine. */
export const megabytesOf = (host: Pick<StoredHost, 'roles'>): number => (runsKubelet(host) ? 2048 : 1024);

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A name of a network device has fifteen characters. */
const tapName = ({ engine: { place }, state }: Lab, host: string): string =>
  `pvm${hash(`${place.folder}/${state.name}/${host}`).slice(0, 10)}`;

const uuidOf = (text: string): string =>
  hash(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

async function intoBridge(lab: Lab, { name }: StoredHost): Promise<Result<void, LabFailure>> {
  const bridge = await bridgeOf(lab.engine, lab.state.name);
  const argv = ['ip', 'link', 'set', tapName(lab, name), 'master', bridge ?? '', 'up'];
  const set = await program(argv);
  return set.ok ? ok(undefined) : programFailure(`Connecting ${name}`, set.failure);
}
