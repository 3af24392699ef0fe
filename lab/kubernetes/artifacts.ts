import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import process from 'node:process';
import { ok, type Result } from '../../generators/result.ts';
import { mirrorOf, type Mirror } from '../../tasks/artifacts/mirror.ts';
import { seal } from '../../tasks/artifacts/seal.ts';
import { parseSums, sha256Of, sumsFile } from '../../tasks/runtime/sums.ts';
import type { Failure } from '../../tasks/runtime/failures.ts';
import { packageRoot } from '../../tasks/runtime/package.ts';
import { debianMirror } from '../images/images.ts';
import { labFailure, type LabFailure, type OnProgress } from '../machine/lab-failure.ts';
import { withLock } from '../machine/lock.ts';
import { filesFolder, place, type LabPlace } from '../machine/place.ts';
import { packPrograms } from './archives.ts';
import { compile, sources } from './compile.ts';
import { extraImages, extras as recipes } from './extras.ts';
import { packImages } from './images.ts';
import type { LabArtifacts } from './lab-artifacts.ts';
import { modulesOf } from './modules.ts';
import { origins } from './origins.ts';
import { fetchPackages, packPackages } from './packages.ts';
import { fromPublishers, reachesPublishers } from './publishers.ts';
import { images, kubernetesHash, type ArtifactSource } from './recipe.ts';
import { labReleases, labVersion, releaseOf, type Extra, type LabRelease } from './releases.ts';
import type { Build } from './step.ts';

export interface ArtifactsOptions {
  /** One of the lab's releases, like `1.36.3`; the newest when left out. */
  readonly version?: string;
  readonly where?: LabPlace;
  /** Where the publishers' releases are fetched. */
  readonly mirror?: Mirror;
  /** What is wanted besides; then all is built. */
  readonly extras?: readonly Extra[];
}

/**
 * The lab's Kubernetes: what the cache has; else the publishers' releases, where this machine reaches them; else built from
 * their Go modules.
 */
export async function labArtifacts(
  tell: OnProgress,
  { version = labVersion, where = place(), mirror = mirrorOf(''), extras = [] }: ArtifactsOptions = {},
): Promise<Result<LabArtifacts, LabFailure>> {
  const release = releaseOf(version);
  if (release === undefined)
    return labFailure(
      `The lab makes no Kubernetes ${version}`,
      `Use one of ${labReleases.map(({ kubernetes }) => kubernetes).join(', ')}`,
    );
  const lacking = extras.find((extra) => !recipes[extra].sources(release).every(existsSync));
  if (lacking !== undefined)
    return labFailure(
      `The lab has no ${lacking} for Kubernetes ${version}`,
      `Use ${labVersion}, or pin it for ${version}: ${relative(packageRoot, sources)}/pin.sh says how`,
    );
  if (process.arch !== 'x64')
    return labFailure(
      `The lab's Kubernetes is for amd64, this machine is ${process.arch}`,
      'Use another one',
    );
  const wanted = { release, where, extras };
  const held = await findCached(wanted);
  if (held !== undefined) return readArtifacts(held, release);
  const work = async (): Promise<Result<LabArtifacts, LabFailure>> => {
    const meanwhile = await findCached(wanted);
    if (meanwhile !== undefined) return readArtifacts(meanwhile, release);
    const made = await makeFromBest({ ...wanted, tell, mirror });
    return made.ok ? readArtifacts(made.value, release) : labFailure(...inWords(made.failure));
  };
  return withLock(where, tell, work, 'kubernetes.lock');
}

const inWords = (failure: Failure): [string, string, string] => [
  failure.message,
  'Read the lines above, then try again: npx task lab up --kubernetes',
  'evidence' in failure && typeof failure.evidence === 'string' ? failure.evidence : '',
];

/** Where the artifacts of a release lie, or will. */
async function artifactsFolder(
  { release, where, extras }: ArtifactKey,
  source: ArtifactSource,
): Promise<string> {
  const texts = await ownTexts(release, extras);
  return join(where.kubernetes, kubernetesHash({ release, source, texts, extraImages: extraImages(extras) }));
}

/** The folder of a release that was made before, from the better source if from both. */
async function findCached(which: ArtifactKey): Promise<string | undefined> {
  const folders = await Promise.all(
    (['publishers', 'modules'] as const).map((source) => artifactsFolder(which, source)),
  );
  return folders.find(isWhole);
}

/** Whether the artifacts of a version have to be fetched or built first. */
export async function lacksArtifacts(
  version: string,
  where: LabPlace,
  extras: readonly Extra[] = [],
): Promise<boolean> {
  const release = releaseOf(version);
  return release !== undefined && (await findCached({ release, where, extras })) === undefined;
}

interface ArtifactKey {
  readonly release: LabRelease;
  readonly where: LabPlace;
  readonly extras: readonly Extra[];
}

interface ArtifactsRequest extends ArtifactKey {
  readonly tell: OnProgress;
  readonly mirror: Mirror;
}

/** What the publishers do not give, or not whole, is built. */
async function makeFromBest(wanted: ArtifactsRequest): Promise<Result<string, Failure>> {
  const { release, mirror, tell, extras } = wanted;
  if (extras.length === 0 && (await reachesPublishers(release, mirror))) {
    const fetched = await make(wanted, 'publishers', (build) => fromPublishers(build, mirror));
    if (fetched.ok) return fetched;
    tell(`The publishers' releases cannot be had whole, so they are built: ${fetched.failure.message}`);
  }
  return make(wanted, 'modules', (build) => fromModules(build, wanted.extras));
}

async function make(
  wanted: ArtifactsRequest,
  source: ArtifactSource,
  work: (build: Build) => Promise<Result<unknown, Failure>>,
): Promise<Result<string, Failure>> {
  const { release, where, tell, extras } = wanted;
  const folder = await artifactsFolder(wanted, source);
  const out = `${folder}.partial`;
  const build: Build = {
    folder: join(where.kubernetes, `build-${basename(folder)}`),
    out,
    release,
    extraImages: extraImages(extras, 'node'),
    goCache: where.go,
    mirror: debianMirror(),
    tell,
  };
  // Who builds is alone: what else is unfinished was left by a build that was ended.
  await mkdir(where.kubernetes, { recursive: true });
  const unfinished = (await readdir(where.kubernetes)).filter((name) => /^build-|\.partial$/.test(name));
  for (const name of unfinished) await rm(join(where.kubernetes, name), { recursive: true, force: true });
  for (const path of [out, build.folder]) await mkdir(path, { recursive: true });
  const made = await work(build);
  await rm(build.folder, { recursive: true, force: true });
  if (!made.ok) return made;
  await rename(out, folder);
  return ok(folder);
}

async function fromModules(build: Build, extras: readonly Extra[]): Promise<Result<unknown, Failure>> {
  const [making, packing] = (['make', 'pack'] as const).map((when) =>
    extras.flatMap((extra) => recipes[extra][when] ?? []),
  );
  const steps = [
    ...[fetchAndCompile, ...(making ?? [])],
    ...[packPrograms, packImages, packPackages, ...(packing ?? [])],
  ];
  for (const step of steps) {
    const done = await step(build);
    if (!done.ok) return done;
  }
  return seal(build.out, {
    kubernetes: build.release.kubernetes,
    architecture: 'amd64',
    images: [...images(build.release), ...extraImages(extras)].map(({ reference }) => reference),
    origins: origins(build.release),
    note: "Built by Playsmith's lab from the publishers' Go modules and Debian's packages, for trials. No release of the Kubernetes project.",
  });
}

/** Packages come over the network while programs are compiled. */
async function fetchAndCompile(build: Build): Promise<Result<void, LabFailure>> {
  const [fetched, compiled] = await Promise.all([fetchPackages(build), compile(build)]);
  return fetched.ok ? compiled : fetched;
}

const isWhole = (folder: string): boolean => existsSync(join(folder, sumsFile));

async function readArtifacts(folder: string, release: LabRelease): Promise<Result<LabArtifacts, never>> {
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
async function ownTexts(
  release: LabRelease,
  extras: readonly Extra[],
): Promise<Readonly<Record<string, string>>> {
  const folders = [
    join(filesFolder, 'kubernetes'),
    ...modulesOf(release).map(({ folder }) => join(sources, folder)),
    ...extras.flatMap((extra) => [recipes[extra].scripts, ...recipes[extra].sources(release)]),
  ];
  const files = (await Promise.all(folders.map(filesBelow))).flat();
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return Object.fromEntries(files.map((file, index) => [relative(packageRoot, file), texts[index] ?? '']));
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
