import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { ok, type Result } from '../../generators/result.ts';
import { cgroupParent, type Engine } from '../machine/engine.ts';
import { programFailure, type LabFailure, type OnProgress } from '../machine/lab-failure.ts';
import { removeBuild } from '../machine/mounts.ts';
import { filesFolder } from '../machine/place.ts';
import { debootstrap } from './debootstrap.ts';
import { ansiblePackages, recipe, recipeHash, type RecipeKind, type Suite } from './recipe.ts';

export type ImageName = 'host' | 'host-trixie' | 'ansible-bookworm' | 'ansible-trixie';

/** What a host starts from: an image of the lab's podman, and the folder of its offline packages. */
export interface Image {
  readonly reference: string;
  readonly packages: string;
}

export type Images = Readonly<Record<ImageName, Image>>;

/** The images by name; the name says what is in them, so an image that is there is the right one. */
export async function images({ place }: Engine): Promise<Images> {
  const customize = await readFile(join(filesFolder, 'customize.sh'), 'utf8');
  const image = (name: ImageName, suite: Suite, kind: RecipeKind = 'host'): Image => {
    const hash = recipeHash(recipe(suite, customize, kind));
    return { reference: `localhost/playsmith-lab/${name}:${hash}`, packages: join(place.packages, hash) };
  };
  return {
    host: image('host', 'bookworm'),
    'ansible-bookworm': image('ansible-bookworm', 'bookworm'),
    'host-trixie': image('host-trixie', 'trixie'),
    'ansible-trixie': image('ansible-trixie', 'trixie', 'ansible'),
  };
}

/** Those of the wanted images that have to be built first. */
export async function missingImages(
  engine: Engine,
  wanted: readonly ImageName[],
): Promise<readonly ImageName[]> {
  const all = await images(engine);
  const missing = await Promise.all(
    [...new Set(wanted)].map(async (name) => ((await isThere(engine, all[name])) ? [] : [name])),
  );
  return missing.flat();
}

/** Builds what is missing: those of different Debians side by side, those of one in layers. */
export async function buildImages(
  engine: Engine,
  wanted: readonly ImageName[],
  tell: OnProgress,
): Promise<Result<Images, LabFailure>> {
  const all = await images(engine);
  const missing = await missingImages(engine, wanted);
  const built = await Promise.all([trixie(engine, all, missing, tell), bookworm(engine, all, missing, tell)]);
  return built.find((result) => !result.ok) ?? ok(all);
}

async function trixie(
  engine: Engine,
  all: Images,
  missing: readonly ImageName[],
  tell: OnProgress,
): Promise<Result<void, LabFailure>> {
  for (const [name, kind] of [
    ['host-trixie', 'host'],
    ['ansible-trixie', 'ansible'],
  ] as const) {
    if (!missing.includes(name)) continue;
    const made = await bootstrap(engine, all[name], { suite: 'trixie', kind }, tell);
    if (!made.ok) return made;
  }
  return ok(undefined);
}

async function bookworm(
  engine: Engine,
  all: Images,
  missing: readonly ImageName[],
  tell: OnProgress,
): Promise<Result<void, LabFailure>> {
  const needsLayer = missing.includes('ansible-bookworm');
  if (missing.includes('host') || (needsLayer && !(await isThere(engine, all.host)))) {
    const base = await bootstrap(engine, all.host, { suite: 'bookworm', kind: 'host' }, tell);
    if (!base.ok) return base;
  }
  return needsLayer ? addAnsible(engine, all, tell) : ok(undefined);
}

async function isThere({ podman }: Engine, { reference, packages }: Image): Promise<boolean> {
  return existsSync(join(packages, 'Packages')) && (await podman(['image', 'exists', reference])).ok;
}

async function bootstrap(
  { place, podman }: Engine,
  image: Image,
  { suite, kind }: { readonly suite: Suite; readonly kind: RecipeKind },
  tell: OnProgress,
): Promise<Result<void, LabFailure>> {
  const value = recipe(suite, await readFile(join(filesFolder, 'customize.sh'), 'utf8'), kind);
  const build = join(place.folder, `build-${recipeHash(value)}`);
  const files = { target: join(build, 'image.tar'), packages: join(build, 'packages') };
  const cleared = await removeBuild(build);
  if (!cleared.ok) return cleared;
  const made = await debootstrap(value, { ...files, mirror: debianMirror(), scratch: build }, tell);
  if (!made.ok) return made;
  tell(`Storing Debian ${suite} as an image (about 10 seconds)`);
  const imported = await podman(['import', '--quiet', files.target, image.reference], { timeout: 600 });
  if (!imported.ok) return programFailure('Storing the image', imported.failure);
  await mkdir(place.packages, { recursive: true });
  await rm(image.packages, { recursive: true, force: true });
  await rename(files.packages, image.packages);
  await rm(build, { recursive: true });
  return ok(undefined);
}

async function addAnsible(
  { podman, machine }: Engine,
  all: Images,
  tell: OnProgress,
): Promise<Result<void, LabFailure>> {
  const name = 'playsmith-build-ansible';
  const image = all['ansible-bookworm'];
  tell('Installing Ansible into the image of the Ansible server (about a minute)');
  await podman(['rm', '--force', '--time', '0', '--ignore', name]);
  const limits = [
    `--ulimit=nofile=${machine.openFiles}:${machine.openFiles}`,
    `--ulimit=nproc=${machine.processes}:${machine.processes}`,
  ];
  const run = [
    ...['run', '--name', name, '--network=none', '--pids-limit=-1', ...limits],
    ...(machine.cgroupManager === 'cgroupfs' ? [`--cgroup-parent=${cgroupParent('build')}`] : []),
    ...['--volume', `${image.packages}:/srv/repo:ro`],
  ];
  const install = ['apt-get', 'install', '--yes', '--no-install-recommends', ...ansiblePackages];
  const installed = await podman([...run, all.host.reference, ...install], { timeout: 900 });
  if (!installed.ok) return programFailure('Installing Ansible', installed.failure);
  const committed = await podman(['commit', '--quiet', name, image.reference], { timeout: 600 });
  await podman(['rm', '--force', name]);
  return committed.ok
    ? ok(undefined)
    : programFailure('Storing the image of the Ansible server', committed.failure);
}

/** Where Debian comes from: `PLAYSMITH_DEBIAN_MIRROR`, else Debian's own. */
export const debianMirror = (): string =>
  process.env['PLAYSMITH_DEBIAN_MIRROR'] ?? 'http://deb.debian.org/debian';
