import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ok, type Result } from '../../../generators/result.ts';
import { program } from '../../runtime/program.ts';
import { programFailure, type LabFailure } from '../lab-failure.ts';
import { filesFolder } from '../place.ts';
import { fetched } from './debian.ts';
import { dockerArchive, tarArgv, type PlainImage } from './docker-archive.ts';
import { images, type ImageRecipe } from './recipe.ts';
import { inOrder, running, type Build, type Step } from './step.ts';

/** Packs what was built and fetched into container images: `images/<set>.tar`, and `.list` with their references. */
export async function packImages(build: Build): Promise<Result<void, LabFailure>> {
  const { folder, out, version, tell } = build;
  tell('Packing container images (about 10 seconds)');
  await mkdir(join(out, 'images'), { recursive: true });
  const debs = join(folder, fetched.build);
  return inOrder([
    unpack(debs, 'etcd-server', join(folder, 'etcd')),
    // The client's package is one of the nodes' packages.
    unpack(join(folder, fetched.node), 'etcd-client', join(folder, 'etcd')),
    unpack(debs, 'busybox-static', join(folder, 'busybox')),
    unpack(debs, 'catatonit', join(folder, 'catatonit')),
    running('Unpacking what kube-proxy calls', [
      'sh',
      join(filesFolder, 'kubernetes/proxy-root.sh'),
      join(folder, 'proxy'),
      join(folder, fetched.node),
    ]),
    ...(['control-plane', 'node'] as const).map((set): Step => {
      const wanted = images(version).filter((image) => image.set === set);
      return () => packSet(build, set, wanted);
    }),
  ]);
}

async function packSet(
  { folder, out }: Build,
  set: string,
  wanted: readonly ImageRecipe[],
): Promise<Result<void, LabFailure>> {
  const plain: PlainImage[] = [];
  for (const [index, image] of wanted.entries()) {
    const layer = await makeLayer(folder, image, join(folder, `layers/${set}-${index}`));
    if (!layer.ok) return layer;
    plain.push({ reference: image.reference, entrypoint: image.entrypoint, layer: layer.value });
  }
  await writeFile(join(out, `images/${set}.list`), wanted.map(({ reference }) => `${reference}\n`).join(''));
  return dockerArchive(plain, {
    scratch: join(folder, `archive-${set}`),
    out: join(out, `images/${set}.tar`),
  });
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

const unpack = (debs: string, name: string, root: string): Step => {
  return async () => {
    const deb = (await readdir(debs)).find((file) => file.startsWith(`${name}_`));
    await mkdir(root, { recursive: true });
    return running(`Unpacking ${name}`, ['dpkg-deb', '-x', join(debs, deb ?? name), root])();
  };
};
