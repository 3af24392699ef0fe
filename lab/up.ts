import { ok, type Result } from '../generators/result.ts';
import { removeHosts } from './down.ts';
import { describe, type LabDescription } from './hosts/describe.ts';
import { startHosts } from './hosts/hosts.ts';
import { ensureNetwork, letPass } from './hosts/network.ts';
import { accelerator } from './hosts/virtual/accelerator.ts';
import { buildDisks, diskImage } from './hosts/virtual/disk-image.ts';
import { ensureDisks } from './hosts/volumes.ts';
import { buildImages, type Images } from './images/images.ts';
import { labArtifacts } from './kubernetes/artifacts.ts';
import type { LabArtifacts } from './kubernetes/lab-artifacts.ts';
import { engine, type Engine } from './machine/engine.ts';
import { labFailure, type LabFailure, type OnProgress } from './machine/lab-failure.ts';
import { withLock } from './machine/lock.ts';
import { place, type LabPlace } from './machine/place.ts';
import { raiseSysctls } from './machine/sysctls.ts';
import { freeSubnet, preflight, subnetProblem, type LabOptions } from './preflight.ts';
import { prepare } from './prepare.ts';
import { createState } from './state/create-state.ts';
import { defaultLab, type Lab } from './state/lab.ts';
import { defaultShape, imagesOf, suitesOf, versionOf } from './state/shape.ts';
import { readState, writeState, type LabState } from './state/state.ts';

/**
 * Makes a lab, or whatever of it is missing; a powered-off or frozen host is started. Twice is the same as once. What takes
 * minutes, its Kubernetes, is made while other labs come and go.
 */
export async function up(
  options: Partial<LabOptions>,
  tell: OnProgress,
  where: LabPlace = place(),
): Promise<Result<LabDescription, LabFailure>> {
  const wanted = { name: defaultLab, shape: defaultShape, ...options };
  const begun = await withLock(where, tell, () => begin(wanted, tell, where));
  if (!begun.ok) return begun;
  const [images, artifacts] = await Promise.all([
    withLock(where, tell, () => buildGround(begun.value, tell)),
    artifactsOf(begun.value, where, tell),
  ]);
  if (!images.ok) return images;
  if (!artifacts.ok) return artifacts;
  const ground = { images: images.value, artifacts: artifacts.value };
  return withLock(where, tell, () => start(begun.value, ground, tell));
}

/** Refuses what cannot stand here, installs what the machine lacks, and writes down the lab, which nobody else can take then. */
async function begin(
  wanted: LabOptions,
  tell: OnProgress,
  where: LabPlace,
): Promise<Result<Lab, LabFailure>> {
  const { problems, changes } = await preflight(wanted, where);
  const [problem] = problems;
  if (problem) return labFailure(problems.map(({ message }) => message).join('\n'), problem.next);
  const prepared = await prepare(changes, tell);
  if (!prepared.ok) return prepared;
  const own = await engine(where);
  const state = await stateOf(wanted, where, own);
  return state.ok ? ok({ engine: own, state: state.value }) : state;
}

interface Ground {
  readonly images: Images;
  readonly artifacts: LabArtifacts | undefined;
}

async function start(
  { engine: own, state: { name, password } }: Lab,
  { images, artifacts }: Ground,
  tell: OnProgress,
): Promise<Result<LabDescription, LabFailure>> {
  const where = own.place;
  const state = await readState(where, name);
  // One that was made anew under its name has other hosts and another password.
  if (state?.password !== password)
    return labFailure(
      `The lab ${name} was removed while it was being made`,
      'Make it again if it is wanted: npx task lab up',
    );
  const lab: Lab = { engine: own, state: await withArtifacts(state, artifacts, where) };
  await raiseSysctls(where, name);
  tell(`Starting ${lab.state.hosts.length} hosts (${await howLong(lab, tell)})`);
  const network = await ensureNetwork(own, lab.state);
  if (!network.ok) return network;
  const disks = await ensureDisks(where, lab.state);
  if (!disks.ok) return disks;
  const started = await startHosts(lab, images, disks.value);
  if (!started.ok) return started;
  const passed = await letPass(own, name);
  return passed.ok ? ok(describe(lab)) : passed;
}

/** What the hosts of a lab start from. */
async function buildGround(
  { engine: own, state: { hosts } }: Lab,
  tell: OnProgress,
): Promise<Result<Images, LabFailure>> {
  const images = await buildImages(own, imagesOf(hosts), tell);
  if (!images.ok) return images;
  const disks = await buildDisks(own.place, suitesOf(hosts), tell);
  return disks.ok ? images : disks;
}

async function howLong({ engine: { place }, state: { hosts } }: Lab, tell: OnProgress): Promise<string> {
  const [suite] = suitesOf(hosts);
  if (suite === undefined) return 'about 10 seconds';
  const by = await accelerator(place, await diskImage(place, suite), tell);
  return by === 'kvm' ? 'about 20 seconds' : 'virtual ones without KVM take about a minute';
}

/** What a lab for Kubernetes installs it from: what it began with, or else made now. */
async function artifactsOf(
  { state: { artifacts, shape } }: Lab,
  where: LabPlace,
  tell: OnProgress,
): Promise<Result<LabArtifacts | undefined, LabFailure>> {
  const version = versionOf(shape);
  if (version === undefined || artifacts !== undefined) return ok(artifacts);
  return labArtifacts(tell, { version, where, extras: shape.extras ?? [] });
}

/** A lab for Kubernetes keeps the artifacts that it began with. */
async function withArtifacts(
  state: LabState,
  artifacts: LabArtifacts | undefined,
  where: LabPlace,
): Promise<LabState> {
  if (state.artifacts !== undefined || artifacts === undefined) return state;
  const complete = { ...state, artifacts };
  await writeState(where, complete);
  return complete;
}

/** The lab's state, or a new one; hosts without a state are of no use, as nobody has their keys. */
async function stateOf(
  wanted: LabOptions,
  where: LabPlace,
  own: Engine,
): Promise<Result<LabState, LabFailure>> {
  const state = await readState(where, wanted.name);
  if (state) return ok(state);
  await removeHosts(own, wanted.name);
  const subnet = await freeSubnet(where, { name: wanted.name, subnet: wanted.subnet });
  if (subnet === undefined) {
    const { message, next } = subnetProblem(wanted.subnet);
    return labFailure(message, next);
  }
  return createState(where, { ...wanted, subnet });
}
