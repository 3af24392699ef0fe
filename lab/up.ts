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
import { engine } from './machine/engine.ts';
import { labFailure, type LabFailure, type OnProgress } from './machine/lab-failure.ts';
import { locked } from './machine/lock.ts';
import { place, type LabPlace } from './machine/place.ts';
import { raiseSysctls } from './machine/sysctls.ts';
import { freeSubnet, preflight, subnetProblem, type LabOptions } from './preflight.ts';
import { prepare } from './prepare.ts';
import { createState } from './state/create-state.ts';
import { defaultLab, type Lab } from './state/lab.ts';
import { defaultShape, imagesOf, suitesOf, versionOf } from './state/shape.ts';
import { readState, writeState, type LabState } from './state/state.ts';

/** Makes a lab, or whatever of it is missing; a powered-off or frozen host is started. Twice is the same as once. */
export async function up(
  options: Partial<LabOptions>,
  tell: OnProgress,
  where: LabPlace = place(),
): Promise<Result<LabDescription, LabFailure>> {
  const wanted = { name: defaultLab, shape: defaultShape, ...options };
  return locked(where, tell, async () => {
    const { problems, changes } = await preflight(wanted, where);
    const [problem] = problems;
    if (problem) return labFailure(problems.map(({ message }) => message).join('\n'), problem.next);
    const prepared = await prepare(changes, tell);
    return prepared.ok ? build(wanted, tell, where) : prepared;
  });
}

async function build(
  wanted: LabOptions,
  tell: OnProgress,
  where: LabPlace,
): Promise<Result<LabDescription, LabFailure>> {
  const own = await engine(where);
  const state = await stateOf(wanted, where, own);
  if (!state.ok) return state;
  const [images, complete] = await Promise.all([
    buildGround(own, state.value, tell),
    withArtifacts(state.value, where, tell),
  ]);
  if (!images.ok) return images;
  if (!complete.ok) return complete;
  const lab: Lab = { engine: own, state: complete.value };
  await raiseSysctls(where, wanted.name);
  tell(`Starting ${lab.state.hosts.length} hosts (${await howLong(lab, tell)})`);
  const network = await ensureNetwork(own, lab.state);
  if (!network.ok) return network;
  const disks = await ensureDisks(where, lab.state);
  if (!disks.ok) return disks;
  const started = await startHosts(lab, images.value, disks.value);
  if (!started.ok) return started;
  const passed = await letPass(own, lab.state.name);
  return passed.ok ? ok(describe(lab)) : passed;
}

/** What the hosts of a lab start from. */
async function buildGround(
  own: Lab['engine'],
  { hosts }: LabState,
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

/** A lab for Kubernetes keeps the artifacts that it began with. */
async function withArtifacts(
  state: LabState,
  where: LabPlace,
  tell: OnProgress,
): Promise<Result<LabState, LabFailure>> {
  const version = versionOf(state.shape);
  if (version === undefined || state.artifacts !== undefined) return ok(state);
  const artifacts = await labArtifacts(tell, {
    version,
    where,
    extras: state.shape.extras ?? [],
  });
  if (!artifacts.ok) return artifacts;
  const complete = { ...state, artifacts: artifacts.value };
  await writeState(where, complete);
  return ok(complete);
}

/** The lab's state, or a new one; hosts without a state are of no use, as nobody has their keys. */
async function stateOf(
  wanted: LabOptions,
  where: LabPlace,
  own: Lab['engine'],
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
