import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import process from 'node:process';
import { ok, type Result } from '../../../generators/result.ts';
import { seal } from '../../artifacts/seal.ts';
import { parseSums, sha256Of, sumsFile } from '../../artifacts/sums.ts';
import { packageRoot } from '../../runtime/package.ts';
import type { Failure } from '../../runtime/failures.ts';
import { debianMirror } from '../images.ts';
import { labFailure, type LabFailure, type Tell } from '../lab-failure.ts';
import { locked } from '../lock.ts';
import { filesFolder, place, type Place } from '../place.ts';
import { packPrograms } from './archives.ts';
import { compile } from './compile.ts';
import { packImages } from './images.ts';
import type { LabArtifacts } from './lab-artifacts.ts';
import { modulesOf } from './modules.ts';
import { origins } from './origins.ts';
import { fetchPackages, packPackages } from './packages.ts';
import { images, kubernetesHash } from './recipe.ts';
import { labReleases, labVersion, releaseOf, type LabRelease } from './releases.ts';
import type { Build } from './step.ts';

export interface ArtifactsOptions {
  /** One of the lab's releases, like `1.36.3`; the newest when left out. */
  readonly version?: string;
  readonly where?: Place;
}

/** The lab's Kubernetes: what the cache has, or built from the publishers' Go modules in five to seven minutes. */
export async function labArtifacts(
  tell: Tell,
  { version = labVersion, where = place() }: ArtifactsOptions = {},
): Promise<Result<LabArtifacts, LabFailure>> {
  const release = releaseOf(version);
  if (release === undefined)
    return labFailure(
      `The lab makes no Kubernetes ${version}`,
      `Use one of ${labReleases.map(({ kubernetes }) => kubernetes).join(', ')}`,
    );
  if (process.arch !== 'x64')
    return labFailure(
      `The lab's Kubernetes is for amd64, this machine is ${process.arch}`,
      'Use another one',
    );
  const folder = await artifactsFolder(release, where);
  if (isWhole(folder)) return found(folder, release);
  const work = async (): Promise<Result<LabArtifacts, LabFailure>> => {
    if (isWhole(folder)) return found(folder, release);
    const made = await make(folder, { release, where, tell });
    return made.ok ? found(folder, release) : labFailure(...inWords(made.failure));
  };
  return locked(where, tell, work, 'kubernetes.lock');
}

const inWords = (failure: Failure): [string, string, string] => [
  failure.message,
  'Read the lines above, then try again: npx task lab up --kubernetes',
  'evidence' in failure && typeof failure.evidence === 'string' ? failure.evidence : '',
];

/** Where the artifacts of a release lie, or will. */
async function artifactsFolder(release: LabRelease, where: Place): Promise<string> {
  return join(where.kubernetes, kubernetesHash({ release, texts: await ownTexts(release) }));
}

/** Whether the artifacts of a version have to be built first. */
export async function lacksArtifacts(version: string, where: Place): Promise<boolean> {
  const release = releaseOf(version);
  return release !== undefined && !isWhole(await artifactsFolder(release, where));
}

interface Wanted {
  readonly release: LabRelease;
  readonly where: Place;
  readonly tell: Tell;
}

async function make(folder: string, { release, where, tell }: Wanted): Promise<Result<unknown, Failure>> {
  const out = `${folder}.partial`;
  const build: Build = {
    folder: join(where.kubernetes, `build-${basename(folder)}`),
    out,
    release,
    goCache: where.go,
    mirror: debianMirror(),
    tell,
  };
  // Who builds is alone: what else is unfinished was left by a build that was ended.
  await mkdir(where.kubernetes, { recursive: true });
  const unfinished = (await readdir(where.kubernetes)).filter((name) => /^build-|\.partial$/.test(name));
  for (const name of unfinished) await rm(join(where.kubernetes, name), { recursive: true, force: true });
  for (const path of [out, build.folder]) await mkdir(path, { recursive: true });
  const made = await fromModules(build);
  await rm(build.folder, { recursive: true, force: true });
  if (made.ok) await rename(out, folder);
  return made;
}

async function fromModules(build: Build): Promise<Result<unknown, Failure>> {
  const steps = [
    fetchPackages,
    (one: Build) => compile(one, sources),
    packPrograms,
    packImages,
    packPackages,
  ];
  for (const step of steps) {
    const done = await step(build);
    if (!done.ok) return done;
  }
  return seal(build.out, {
    kubernetes: build.release.kubernetes,
    architecture: 'amd64',
    images: images(build.release).map(({ reference }) => reference),
    origins: origins(build.release),
    note: "Built by Playsmith's lab from the publishers' Go modules and Debian's packages, for trials. No release of the Kubernetes project.",
  });
}

const isWhole = (folder: string): boolean => existsSync(join(folder, sumsFile));

async function found(folder: string, release: LabRelease): Promise<Result<LabArtifacts, never>> {
  const sums = parseSums(await readFile(join(folder, sumsFile), 'utf8'));
  const of = (path: string): string => sums.get(path) ?? '';
  return ok({
    folder,
    sha256: await sha256Of(join(folder, sumsFile)),
    version: release.kubernetes,
    containerd: {
      version: release.containerd,
      sha256: of('archives/containerd.tar.gz'),
      runc: { version: release.runc, sha256: of('binaries/runc') },
    },
  });
}

/** The scripts, and of the modules those that this release is built from. */
async function ownTexts(release: LabRelease): Promise<Readonly<Record<string, string>>> {
  const folders = [
    join(filesFolder, 'kubernetes'),
    ...modulesOf(release).map(({ folder }) => join(sources, folder)),
  ];
  const files = (await Promise.all(folders.map(filesBelow))).flat();
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return Object.fromEntries(files.map((file, index) => [relative(packageRoot, file), texts[index] ?? '']));
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const sources = join(packageRoot, 'test/lab/kubernetes-sources');
