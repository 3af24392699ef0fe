import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../generators/result.ts';
import { program } from '../../tasks/runtime/program.ts';
import { fewAtATime } from '../../tasks/runtime/turns.ts';
import { programFailure, type LabFailure } from '../machine/lab-failure.ts';
import type { LabPlace } from '../machine/place.ts';
import { hostsOf, type LabShape } from './shape.ts';
import {
  knownHosts,
  labFolder,
  operatorKey,
  passwordFile,
  privateFile,
  privateFolder,
  seedFolder,
  serverKey,
  writeState,
  type LabState,
} from './state.ts';

/** Makes what makes a lab that lab: its keys, password and addresses. Hosts come and go, these stay. */
export async function createState(
  place: LabPlace,
  wanted: { readonly name: string; readonly shape: LabShape; readonly subnet: string },
): Promise<Result<LabState, LabFailure>> {
  const { name, shape, subnet } = wanted;
  await privateFolder(labFolder(place, name));
  const hosts = hostsOf(shape, subnet);
  await Promise.all(hosts.map((host) => privateFolder(seedFolder(place, name, host.name))));
  const keyFiles = hosts.map((host) => join(seedFolder(place, name, host.name), 'ssh_host_ed25519_key'));
  const files = [operatorKey(place, name), serverKey(place, name), ...keyFiles];
  const keys = await fewAtATime(files, 8, createKey);
  const broken = keys.find((key) => !key.ok);
  if (broken) return broken;
  const hostKeys = keys.slice(2).map((key) => (key.ok ? key.value : ''));
  const state: LabState = {
    version: 1,
    name,
    shape,
    subnet,
    hosts: hosts.map((host, index) => ({ ...host, hostKey: hostKeys[index] ?? '' })),
    password: randomBytes(12).toString('base64url'),
  };
  await privateFile(passwordFile(place, name), `${state.password}\n`);
  await privateFile(
    knownHosts(place, name),
    state.hosts.map((host) => `${host.address} ${host.hostKey}\n`).join(''),
  );
  await writeState(place, state);
  return ok(state);
}

/** The public key `ssh-ed25519 AAAA…` of a new key pair, or of the one that an interrupted `up` left. */
async function createKey(path: string): Promise<Result<string, LabFailure>> {
  if (!existsSync(`${path}.pub`)) {
    const made = await program(
      ['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', 'playsmith-lab', '-f', path],
      { input: 'y\n' },
    );
    if (!made.ok) return programFailure('Making a key', made.failure);
  }
  const text = await readFile(`${path}.pub`, 'utf8');
  return ok(text.split(' ').slice(0, 2).join(' '));
}
