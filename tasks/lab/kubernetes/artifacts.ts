import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';
import { ok, type Result } from '../../../generators/result.ts';
import { seal } from '../../artifacts/seal.ts';
import { sha256Of, sumsFile } from '../../artifacts/sums.ts';
import { packageRoot } from '../../runtime/package.ts';
import type { Failure } from '../../runtime/failures.ts';
import { debianMirror } from '../images.ts';
import { labFailure, type LabFailure, type Tell } from '../lab-failure.ts';
import { locked } from '../lock.ts';
import { filesFolder, place, type Place } from '../place.ts';
import { compile } from './compile.ts';
import { fetchDebian } from './debian.ts';
import { packImages } from './images.ts';
import type { LabArtifacts } from './lab-artifacts.ts';
import { origins, packPackages } from './packages.ts';
import { hostPrograms, images, kubernetesHash, sourceVersion } from './recipe.ts';
import { relabel } from './relabel.ts';
import type { Build } from './step.ts';

export interface ArtifactsOptions {
  /** `1.20.2`, or another one for tests of upgrades: the same code under another version's name. */
  readonly version?: string;
  readonly where?: Place;
}

/** The lab's Kubernetes: what the cache has, or built from Debian's packages alone in about five minutes. */
export async function labArtifacts(
  tell: Tell,
  { version = sourceVersion, where = place() }: ArtifactsOptions = {},
): Promise<Result<LabArtifacts, LabFailure>> {
  const folder = await artifactsFolder(version, where);
  if (await isWhole(folder)) return found(folder, version);
  if (process.arch !== 'x64')
    return labFailure(
      `The lab's Kubernetes is for amd64, this machine is ${process.arch}`,
      'Use another one',
    );
  const base = version === sourceVersion ? undefined : await labArtifacts(tell, { where });
  if (base?.ok === false) return base;
  const work = async (): Promise<Result<LabArtifacts, LabFailure>> => {
    if (await isWhole(folder)) return found(folder, version);
    const made = await make(folder, base?.value, { version, where, tell });
    return made.ok ? found(folder, version) : labFailure(...inWords(made.failure));
  };
  return locked(where, tell, work, 'kubernetes.lock');
}

const inWords = (failure: Failure): [string, string, string] => [
  failure.message,
  'Read the lines above, then try again: npx task lab up --kubernetes',
  'evidence' in failure && typeof failure.evidence === 'string' ? failure.evidence : '',
];

/** Where the artifacts of a version lie, or will. */
export async function artifactsFolder(version: string, where: Place): Promise<string> {
  return join(where.kubernetes, kubernetesHash({ version, texts: await ownTexts() }));
}

/** Whether the artifacts of a version have to be built first. */
export const lacksArtifacts = async (version: string, where: Place): Promise<boolean> =>
  !(await isWhole(await artifactsFolder(version, where)));

interface Wanted {
  readonly version: string;
  readonly where: Place;
  readonly tell: Tell;
}

async function make(
  folder: string,
  base: LabArtifacts | undefined,
  { version, where, tell }: Wanted,
): Promise<Result<unknown, Failure>> {
  const out = `${folder}.partial`;
  const build = {
    folder: join(where.kubernetes, `build-${basename(folder)}`),
    out,
    version,
    mirror: debianMirror(),
    tell,
  };
  for (const path of [out, build.folder]) await rm(path, { recursive: true, force: true });
  for (const path of [out, build.folder]) await mkdir(path, { recursive: true });
  const made = base === undefined ? await fromSource(build) : await relabel(base, build);
  await rm(build.folder, { recursive: true, force: true });
  if (made.ok) await rename(out, folder);
  return made;
}

async function fromSource(build: Build): Promise<Result<unknown, Failure>> {
  for (const step of [
    fetchDebian,
    (one: Build) => compile(one, standIns),
    packImages,
    copyPrograms,
    packPackages,
  ]) {
    const done = await step(build);
    if (!done.ok) return done;
  }
  return seal(build.out, {
    kubernetes: build.version,
    architecture: 'amd64',
    images: images(build.version).map(({ reference }) => reference),
    origins: await origins(build),
    note: "Built by Playsmith's lab from Debian's packages alone, for trials. No release of the Kubernetes project.",
  });
}

async function copyPrograms({ folder, out }: Build): Promise<Result<void, Failure>> {
  await mkdir(join(out, 'binaries'), { recursive: true });
  for (const name of hostPrograms) await copyFile(join(folder, 'bin', name), join(out, 'binaries', name));
  return ok(undefined);
}

const isWhole = (folder: string): Promise<boolean> => Promise.resolve(existsSync(join(folder, sumsFile)));

async function found(folder: string, version: string): Promise<Result<LabArtifacts, never>> {
  return ok({ folder, sha256: await sha256Of(join(folder, sumsFile)), version });
}

async function ownTexts(): Promise<Readonly<Record<string, string>>> {
  const scripts = join(filesFolder, 'kubernetes');
  const files = [
    ...(await readdir(scripts)).map((name) => join(scripts, name)),
    ...(await readdir(standIns)).map((name) => join(standIns, name, 'main.go')),
  ];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return Object.fromEntries(
    files.map((file, index) => [file.split('/').slice(-2).join('/'), texts[index] ?? '']),
  );
}

const standIns = join(packageRoot, 'test/lab/kubernetes-sources');
