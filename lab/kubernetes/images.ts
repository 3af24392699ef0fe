import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ok, type Result } from '../../generators/result.ts';
import { program } from '../../tasks/runtime/program.ts';
import { programFailure, type LabFailure } from '../machine/lab-failure.ts';
import { filesFolder } from '../machine/place.ts';
import { fetchDebs, unpackDebs } from './debian.ts';
import { dockerArchive, tarArgv, type PlainImage } from './docker-archive.ts';
import { nodePackagesOf } from './packages.ts';
import { basePackages, images, type ImageRecipe } from './recipe.ts';
import { inOrder, running, type Build } from './step.ts';

/** Packs what was built and fetched into container images: `images/<set>.tar`, and `.list` with their references. */
export async function packImages(build: Build): Promise<Result<void, LabFailure>> {
  const { folder, out, release, tell } = build;
  tell('Packing container images (about 10 seconds)');
  await mkdir(join(out, 'images'), { recursive: true });
  const bases = await makeBases(build);
  if (!bases.ok) return bases;
  return inOrder([
    running('Unpacking what kube-proxy calls', [
      'sh',
      join(filesFolder, 'kubernetes/proxy-root.sh'),
      join(folder, 'proxy'),
      nodePackagesOf(build, 'debian-12'),
    ]),
    ...(['control-plane', 'node'] as const).map((set) => () => {
      const wanted = [...images(release), ...build.extraImages].filter((image) => image.set === set);
      return packSet(build, set, wanted);
    }),
  ]);
}

/** What images take from Debian's packages as it is. */
export async function makeBases({ folder, mirror }: Build): Promise<Result<void, LabFailure>> {
  const debs = await fetchDebs({
    folder: join(folder, 'apt-debian-12'),
    suite: 'bookworm',
    mirror,
    packages: basePackages,
    alone: true,
  });
  if (!debs.ok) return debs;
  const unpacked = await unpackDebs(debs.value, ['busybox-static'], join(folder, 'busybox'));
  return unpacked.ok ? ok(undefined) : programFailure('Unpacking busybox', unpacked.failure);
}

async function packSet(
  { folder, out }: Build,
  set: string,
  wanted: readonly ImageRecipe[],
): Promise<Result<void, LabFailure>> {
  const plain = await plainImages(folder, set, wanted);
  if (!plain.ok) return plain;
  await writeFile(join(out, `images/${set}.list`), wanted.map(({ reference }) => `${reference}\n`).join(''));
  return dockerArchive(plain.value, {
    scratch: join(folder, `archive-${set}`),
    out: join(out, `images/${set}.tar`),
  });
}

/** Makes the one layer of each image. */
export async function plainImages(
  folder: string,
  set: string,
  wanted: readonly ImageRecipe[],
): Promise<Result<readonly PlainImage[], LabFailure>> {
  const plain: PlainImage[] = [];
  for (const [index, image] of wanted.entries()) {
    const layer = await makeLayer(folder, image, join(folder, `layers/${set}-${index}`));
    if (!layer.ok) return layer;
    const { reference, entrypoint, command = [] } = image;
    plain.push({ reference, entrypoint, command, layer: layer.value });
  }
  return ok(plain);
}

async function makeLayer(
  folder: string,
  { files, base }: ImageRecipe,
  root: string,
): Promise<Result<string, LabFailure>> {
  await mkdir(join(root, 'tmp'), { recursive: true });
  if (base !== undefined) await cp(join(folder, base), root, { recursive: true, verbatimSymlinks: true });
  for (const [path, source] of Object.entries(files)) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await cp(join(folder, source), join(root, path), { dereference: true });
  }
  const tarred = await program([...tarArgv(`${root}.tar`), '-C', root, '.'], { timeout: 300 });
  await rm(root, { recursive: true });
  return tarred.ok ? ok(`${root}.tar`) : programFailure('Packing an image', tarred.failure);
}
