import { setTimeout as wait } from 'node:timers/promises';
import { ok, type Result } from '../../generators/result.ts';
import { program } from '../../tasks/runtime/program.ts';
import { fewAtATime } from '../../tasks/runtime/turns.ts';
import type { Images } from '../images/images.ts';
import { labFailure, programFailure, type LabFailure } from '../machine/lab-failure.ts';
import { isMachine, type Lab } from '../state/lab.ts';
import { isVirtual } from '../state/shape.ts';
import { artifactsPath, seedFolder, versionsPath, type StoredHost } from '../state/state.ts';
import { exec } from './exec.ts';
import { hostArgv, containerName, containersOf, networkName, type SharedFolder } from './host-argv.ts';
import type { HostState } from './host-state.ts';
import { hostStates } from './host-status.ts';
import { removeVolumes } from './host-volumes.ts';
import { writeSeed } from './seed.ts';
import { machineConsole } from './virtual/files.ts';
import { startMachine } from './virtual/machine.ts';
import { endMachines, machineProcesses } from './virtual/processes.ts';
import { ensureDisks } from './volumes.ts';

/** Starts every host that does not run, whatever stopped it. */
export async function startHosts(
  lab: Lab,
  images: Images,
  disks: readonly string[],
): Promise<Result<void, LabFailure>> {
  const states = new Map(await hostStates(lab.engine, lab.state));
  await removeStrangers(lab);
  // The bridge is there with the first container.
  for (const some of [
    lab.state.hosts.filter((host) => !isVirtual(host)),
    lab.state.hosts.filter(isVirtual),
  ]) {
    const started = await fewAtATime(some, startedAtOnce, async (host) => {
      await writeSeed(lab.engine.place, lab.state, host);
      return startHost({ lab, images, disks }, host, states.get(host.name) ?? 'missing');
    });
    const broken = started.find((result) => !result.ok);
    if (broken) return broken;
  }
  return ok(undefined);
}

/** More would wait for each other, until one of them takes too long. */
const startedAtOnce = 16;

interface HostGround {
  readonly lab: Lab;
  readonly images: Images;
  readonly disks: readonly string[];
}

export async function startHost(
  ground: HostGround,
  host: StoredHost,
  state: HostState,
): Promise<Result<void, LabFailure>> {
  if (isVirtual(host)) return startVirtual(ground, host, state);
  const { engine } = ground.lab;
  const name = containerName(ground.lab.state.name, host.name);
  if (state === 'running') return ok(undefined);
  const emptied = state === 'missing' ? await removeVolumes(engine, `${name}_`) : ok(undefined);
  if (!emptied.ok) return emptied;
  const argv = { off: ['start', name], frozen: ['unpause', name], missing: createArgv(ground, host) }[state];
  const started = await engine.podman(argv);
  if (!started.ok) return programFailure(`Starting ${host.name}`, started.failure);
  return waitUntilUp(ground.lab, host.name);
}

/** Also one that runs, because it may have lost the bridge when no container ran. */
async function startVirtual(
  { lab, disks }: Pick<HostGround, 'lab' | 'disks'>,
  host: StoredHost,
  state: HostState,
): Promise<Result<void, LabFailure>> {
  const volumes = host.roles.includes('storage') ? disks : [];
  const started = await startMachine(lab, host, { state, volumes });
  return started.ok ? waitUntilUp(lab, host.name) : started;
}

/** Starts a host that was off. */
export async function boot(lab: Lab, name: string): Promise<Result<void, LabFailure>> {
  const host = lab.state.hosts.find((each) => each.name === name);
  if (host !== undefined && isVirtual(host)) {
    const disks = await ensureDisks(lab.engine.place, lab.state);
    const state = new Map(await hostStates(lab.engine, lab.state)).get(name) ?? 'missing';
    return disks.ok ? startVirtual({ lab, disks: disks.value }, host, state) : disks;
  }
  const started = await lab.engine.podman(['start', containerName(lab.state.name, name)]);
  return started.ok ? waitUntilUp(lab, name) : programFailure(`Booting ${name}`, started.failure);
}

function createArgv({ lab, images, disks }: HostGround, host: StoredHost): readonly string[] {
  const { name } = lab.state;
  const { reference, packages } = images[host.image];
  const where = {
    lab: name,
    network: networkName(name),
    image: reference,
    seed: seedFolder(lab.engine.place, name, host.name),
    packages,
    disks: host.roles.includes('storage') ? disks : [],
    shared: sharedWith(lab, host),
  };
  return hostArgv(host, where, lab.engine.machine);
}

/** The server installs from the artifacts, also those that are made while the lab lives; the client takes kubectl from them. */
function sharedWith({ engine, state: { artifacts } }: Lab, { roles }: StoredHost): readonly SharedFolder[] {
  if (artifacts === undefined) return [];
  const all = { folder: engine.place.kubernetes, at: versionsPath };
  const own = { folder: artifacts.folder, at: artifactsPath };
  if (roles.includes('ansible')) return [own, all];
  return roles.includes('client') ? [own] : [];
}

/** Waits until systemd has started everything, and says what failed if something did. */
export async function waitUntilUp(lab: Lab, host: string): Promise<Result<void, LabFailure>> {
  // A machine that is emulated while others use the processors takes minutes.
  const timeout = isMachine(lab, host) ? 600 : 90;
  const deadline = Date.now() + timeout * 1000;
  for (;;) {
    const asked = await exec(lab, host, ['systemctl', 'is-system-running', '--wait'], { timeout });
    const answer = asked.ok ? 'running' : asked.failure.evidence;
    if (asked.ok) return ok(undefined);
    if (answer.includes('degraded')) return degradedFailure(lab, host);
    if (answer.includes('state improper') || Date.now() > deadline) return notUp(lab, host);
    // Nothing tells that systemd has begun to answer.
    await wait(100);
  }
}

async function degradedFailure(lab: Lab, host: string): Promise<Result<void, LabFailure>> {
  const units = await exec(lab, host, ['systemctl', '--failed', '--no-legend', '--plain']);
  return labFailure(
    `Not every service of ${host} came up`,
    `Look at one: npx task lab ssh ${host}, then journalctl --unit NAME`,
    units.ok ? units.value.stdout : units.failure.evidence,
  );
}

async function notUp(lab: Lab, host: string): Promise<Result<void, LabFailure>> {
  return labFailure(
    `${host} did not start`,
    'Remove the lab and create it again: npx task lab down',
    await lastWords(lab, host),
  );
}

async function lastWords(lab: Lab, host: string): Promise<string> {
  const { engine, state } = lab;
  const logs = isMachine(lab, host)
    ? await program(['tail', '--lines=12', machineConsole(engine.place, state.name, host)])
    : await engine.podman(['logs', '--tail', '12', containerName(state.name, host)]);
  return logs.ok ? logs.value.stdout + logs.value.stderr : logs.failure.message;
}

/** Hosts of this lab's name that its state does not know: left by an earlier lab whose state is gone. */
async function removeStrangers({ engine: { podman, place }, state }: Lab): Promise<void> {
  const machines = await machineProcesses(place, state.name);
  const known = new Set(state.hosts.filter(isVirtual).map(({ name }) => name));
  await endMachines(
    place,
    state.name,
    [...machines.keys()].filter((name) => !known.has(name)),
  );
  const listed = await podman(containersOf(state.name, '{{.Names}}'));
  const ours = new Set(state.hosts.map(({ name }) => containerName(state.name, name)));
  const strangers = (listed.ok ? listed.value.stdout : '')
    .split('\n')
    .filter((name) => name !== '' && !ours.has(name));
  if (strangers.length > 0) await podman(['rm', '--force', '--volumes', '--time', '0', ...strangers]);
}
