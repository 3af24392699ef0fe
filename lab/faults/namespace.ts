import { readlink } from 'node:fs/promises';
import type { Result } from '../../generators/result.ts';
import { program, type ProgramOutput } from '../../tasks/runtime/program.ts';
import { exec } from '../hosts/exec.ts';
import { containerName } from '../hosts/host-argv.ts';
import { labFailure, programFailure, type LabFailure } from '../machine/lab-failure.ts';
import { checkHost, isMachine, type Lab } from '../state/lab.ts';

/**
 * Runs a program of this machine in the network of a host, and in no other: when that network is this machine's own,
 * nothing is run, because it would cut off the machine itself. In a virtual machine it is a program of that one.
 */
export async function inNetwork(
  lab: Lab,
  host: string,
  argv: readonly string[],
): Promise<Result<ProgramOutput, LabFailure>> {
  if (isMachine(lab, host)) return exec(lab, host, argv);
  const pid = await pidOf(lab, host);
  if (!pid.ok) return pid;
  const [theirs, ours, first] = await Promise.all([pid.value, 'self', '1'].map(networkOf));
  if (theirs === undefined || theirs === ours || theirs === first)
    return labFailure(`${host} has no network of its own`, 'Start it: npx task lab up');
  const ran = await program(['nsenter', '--target', pid.value, '--net', '--', ...argv]);
  return ran.ok ? ran : programFailure(`${argv[0] ?? ''} in the network of ${host}`, ran.failure);
}

async function pidOf(lab: Lab, host: string): Promise<Result<string, LabFailure>> {
  const known = checkHost(lab, host);
  if (!known.ok) return known;
  const name = containerName(lab.state.name, host);
  const shown = await lab.engine.podman(['container', 'inspect', '--format', '{{.State.Pid}}', name]);
  if (!shown.ok) return programFailure(`Finding the first process of ${host}`, shown.failure);
  const pid = shown.value.stdout.trim();
  return /^[1-9]\d*$/.test(pid) && pid !== '1'
    ? { ok: true, value: pid }
    : labFailure(`${host} does not run`, 'Start it: npx task lab up');
}

const networkOf = (pid: string): Promise<string | undefined> =>
  readlink(`/proc/${pid}/ns/net`).catch(() => undefined);
