import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../../generators/result.ts';
import { program } from '../../../tasks/runtime/program.ts';
import { debootstrap } from '../../images/debootstrap.ts';
import { debianMirror } from '../../images/images.ts';
import { recipe, recipeHash, type Recipe, type Suite } from '../../images/recipe.ts';
import { labFailure, programFailure, type LabFailure, type OnProgress } from '../../machine/lab-failure.ts';
import { removeBuild } from '../../machine/mounts.ts';
import { filesFolder, type LabPlace } from '../../machine/place.ts';

/** What a virtual machine begins with: a disk to copy, and the kernel that is on it. */
export interface DiskImage {
  readonly folder: string;
  readonly disk: string;
  readonly kernel: string;
  readonly initrd: string;
}

export async function diskImage(place: LabPlace, suite: Suite): Promise<DiskImage> {
  const folder = join(place.virtual, recipeHash(await machineRecipe(suite)));
  return imageIn(folder);
}

const imageIn = (folder: string): DiskImage => ({
  folder,
  disk: join(folder, 'disk.img'),
  kernel: join(folder, 'vmlinuz'),
  initrd: join(folder, 'initrd.img'),
});

/** Those of the wanted Debians whose disk has to be built first. */
export async function missingDisks(place: LabPlace, wanted: readonly Suite[]): Promise<readonly Suite[]> {
  const images = await Promise.all(wanted.map((suite) => diskImage(place, suite)));
  return wanted.filter((_, index) => !existsSync(images[index]?.folder ?? ''));
}

/** Builds the disks that are missing, one after the other. */
export async function buildDisks(
  place: LabPlace,
  wanted: readonly Suite[],
  tell: OnProgress,
): Promise<Result<void, LabFailure>> {
  for (const suite of await missingDisks(place, wanted)) {
    const built = await build(place, suite, tell);
    if (!built.ok) return built;
  }
  return ok(undefined);
}

async function build(place: LabPlace, suite: Suite, tell: OnProgress): Promise<Result<void, LabFailure>> {
  const { folder } = await diskImage(place, suite);
  const partial = `${folder}.partial`;
  const cleared = await removeBuild(partial);
  if (!cleared.ok) return cleared;
  await mkdir(partial, { recursive: true });
  const tree = join(partial, 'tree');
  const files = { target: tree, packages: join(partial, 'none'), mirror: debianMirror(), scratch: partial };
  const made = await debootstrap(await machineRecipe(suite), files, tell);
  if (!made.ok) return made;
  tell(`Building a disk of Debian ${suite} (about 10 seconds)`);
  const stored = await store(tree, imageIn(partial));
  if (!stored.ok) return stored;
  await rm(tree, { recursive: true });
  await rename(partial, folder);
  return ok(undefined);
}

/** Needs no mount: the file system is filled while it is made. */
async function store(tree: string, { disk, kernel, initrd }: DiskImage): Promise<Result<void, LabFailure>> {
  const boot = await readdir(join(tree, 'boot'));
  for (const [prefix, to] of [
    ['vmlinuz-', kernel],
    ['initrd.img-', initrd],
  ] as const) {
    const name = boot.find((each) => each.startsWith(prefix));
    if (name === undefined)
      return labFailure('Debian has come without a kernel', 'npx task lab down', boot.join(' '));
    await copyFile(join(tree, 'boot', name), to);
  }
  const argv = ['mkfs.ext4', '-q', '-F', '-L', 'root', '-d', tree, disk, `${gigabytes}G`];
  const filled = await program(argv, { timeout: 600 });
  return filled.ok ? ok(undefined) : programFailure('Making a disk', filled.failure);
}

/** Of which a disk takes only what is written: room for what a node of a cluster imports and runs. */
const gigabytes = 12;

async function machineRecipe(suite: Suite): Promise<Recipe> {
  const names = ['customize.sh', 'init-virtual.sh', 'try-kvm.sh'];
  const texts = await Promise.all(names.map((name) => readFile(join(filesFolder, name), 'utf8')));
  return recipe(suite, `${texts.join('\n')}\n${gigabytes}`, 'virtual');
}
