import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  publishedBinaries,
  standardPlugins,
  type ArtifactFile,
  type ArtifactList,
} from '../../generators/artifacts/needed.ts';
import { defaults } from '../../generators/definition/defaults.ts';
import type { Result } from '../../generators/result.ts';
import { ask } from '../../tasks/runtime/http.ts';
import type { Mirror } from '../../tasks/artifacts/mirror.ts';
import { prepare } from '../../tasks/artifacts/prepare.ts';
import { indexFile, seal, type Index } from '../../tasks/artifacts/seal.ts';
import type { Failure } from '../../tasks/runtime/failures.ts';
import { compileOwn } from './compile.ts';
import { makeBases, plainImages } from './images.ts';
import { packageOrigins } from './origins.ts';
import { ownRegistry } from './own-images.ts';
import { fetchPackages, packPackages } from './packages.ts';
import { flannelPluginImage, ownImages } from './recipe.ts';
import type { LabRelease } from './releases.ts';
import type { Build } from './step.ts';

/** Whether this machine reaches the releases of Kubernetes: asked for the smallest of its files. */
export const reachesPublishers = async ({ kubernetes }: LabRelease, mirror: Mirror): Promise<boolean> =>
  (await ask(mirror.file(`${releaseUrl(kubernetes)}/kubeadm.sha256`), { within: 5 })).ok;

const releaseUrl = (version: string): string => `https://dl.k8s.io/release/v${version}/bin/linux/amd64`;

/** Fetches what a cluster of the lab is installed from as `npx task artifacts` does, with the lab's own workloads. */
export async function fromPublishers(build: Build, mirror: Mirror): Promise<Result<unknown, Failure>> {
  for (const step of [fetchPackages, compileOwn, makeBases]) {
    const done = await step(build);
    if (!done.ok) return done;
  }
  const own = await plainImages(build.folder, 'own', ownImages);
  if (!own.ok) return own;
  const to = join(build.folder, 'published');
  const fetched = await prepare({
    needed: neededFor(build.release),
    packages: { systems: [], names: [] },
    logins: new Map(),
    mirror,
    besides: await ownRegistry(own.value),
    to,
    tell: (text) => {
      build.tell(`Fetching ${text}`);
    },
  });
  if (!fetched.ok) return fetched;
  const packed = await packPackages(build);
  return packed.ok ? sealFolder(build, to) : packed;
}

async function sealFolder({ out, release }: Build, published: string): Promise<Result<unknown, Failure>> {
  const index = JSON.parse(await readFile(join(published, indexFile), 'utf8')) as Index;
  await mkdir(out, { recursive: true });
  for (const folder of ['archives', 'binaries', 'images'])
    await rename(join(published, folder), join(out, folder));
  const origins = new Map(index.files.map(({ path, origin }) => [path, origin]));
  return seal(out, {
    kubernetes: release.kubernetes,
    architecture: 'amd64',
    images: index.images,
    origins: new Map([...origins, ...packageOrigins]),
    note: "Fetched by Playsmith's lab from the publishers' releases, with workloads and packages of the lab, for trials.",
  });
}

const neededFor = (release: LabRelease): ArtifactList => ({
  kubernetes: release.kubernetes,
  files: [...publishedBinaries(release.kubernetes), ...runtime(release), standardPlugins],
  images: [
    `registry.k8s.io/pause:${release.pause}`,
    `${defaults.network.flannel.imageRepository}/flannel:v${release.flannel}`,
    flannelPluginImage,
    ...ownImages.map(({ reference }) => reference),
  ],
  imageRepository: '',
  plugin: 'flannel',
  pluginManifest: '',
  chartValues: {},
});

function runtime({ containerd, runc }: LabRelease): readonly ArtifactFile[] {
  const containerdUrl = `https://github.com/containerd/containerd/releases/download/v${containerd}/containerd-${containerd}-linux-amd64.tar.gz`;
  const runcUrl = `https://github.com/opencontainers/runc/releases/download/v${runc}`;
  return [
    {
      path: 'archives/containerd.tar.gz',
      address: containerdUrl,
      checksum: { kind: 'published', address: `${containerdUrl}.sha256sum` },
      member: '',
    },
    {
      path: 'binaries/runc',
      address: `${runcUrl}/runc.amd64`,
      checksum: { kind: 'published', address: `${runcUrl}/runc.sha256sum`, name: 'runc.amd64' },
      member: '',
    },
  ];
}
