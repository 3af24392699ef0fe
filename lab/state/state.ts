import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LabArtifacts } from '../kubernetes/lab-artifacts.ts';
import { absent } from '../machine/absent.ts';
import type { LabPlace } from '../machine/place.ts';
import { defaultShape, type LabHost, type LabShape } from './shape.ts';

/** What is kept of a lab as long as it lives, in a file that only root reads. */
export interface LabState {
  readonly version: 1;
  readonly name: string;
  readonly shape: LabShape;
  readonly subnet: string;
  readonly hosts: readonly StoredHost[];
  /** Of the user `ops` on every host, for login and for sudo. */
  readonly password: string;
  /** What Kubernetes is installed from, when the lab is made for that. */
  readonly artifacts?: LabArtifacts;
}

export interface StoredHost extends LabHost {
  /** `ssh-ed25519 AAAA…` */
  readonly hostKey: string;
}

/** On the Ansible server: what Kubernetes is installed from, and one folder each version beside it. */
export const artifactsPath = '/srv/artifacts';
export const versionsPath = '/srv/kubernetes';

export const labFolder = ({ labs }: LabPlace, name: string): string => join(labs, name);
export const seedFolder = (place: LabPlace, lab: string, host: string): string =>
  join(labFolder(place, lab), 'hosts', host);
/** Opens every host to the person who runs the lab. */
export const operatorKey = (place: LabPlace, lab: string): string =>
  join(labFolder(place, lab), 'id_ed25519');
/** Opens the nodes to the Ansible server. */
export const serverKey = (place: LabPlace, lab: string): string =>
  join(labFolder(place, lab), 'ansible_ed25519');
export const passwordFile = (place: LabPlace, lab: string): string => join(labFolder(place, lab), 'password');
export const knownHosts = (place: LabPlace, lab: string): string =>
  join(labFolder(place, lab), 'known_hosts');

/** The lab of that name, or undefined: there is none, or none that was made to the end of its keys. */
export async function readState(place: LabPlace, name: string): Promise<LabState | undefined> {
  const text = await readFile(join(labFolder(place, name), 'lab.json'), 'utf8').catch(absent);
  if (text === undefined) return undefined;
  const state = JSON.parse(text) as LabState;
  // A lab of an earlier version of this program knows fewer kinds of hosts.
  return { ...state, shape: { ...defaultShape, ...state.shape } };
}

export async function writeState(place: LabPlace, state: LabState): Promise<void> {
  await privateFile(join(labFolder(place, state.name), 'lab.json'), `${JSON.stringify(state, null, 2)}\n`);
}

/** Names of all labs that have a folder, sorted. */
export async function labNames({ labs }: LabPlace): Promise<readonly string[]> {
  return ((await readdir(labs).catch(absent)) ?? []).sort();
}

export async function privateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

export async function privateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  await chmod(path, 0o600);
}
