import { chmod, mkdtemp, readFile, rm, copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import {
  imageReference,
  imageNames,
  type ImageReference,
} from '../../generators/artifacts/image-reference.ts';
import { testsArchive, type ArtifactList } from '../../generators/artifacts/needed.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import { takeMember } from '../runtime/archive.ts';
import type { Failure } from '../runtime/failures.ts';
import { lastLines, program } from '../runtime/program.ts';

/** Images of control planes alone, and those of every node, each sorted by name and without doubles. */
export interface ImageSets {
  readonly controlPlane: readonly ImageReference[];
  readonly node: readonly ImageReference[];
  /** Of the conformance tests, where they are wanted. */
  readonly conformance?: readonly ImageReference[];
}

/** Every image that the cluster needs, asked of those that know: kubeadm of that version, and the plugin's manifest or chart. */
export async function imagesOf(needed: ArtifactList, folder: string): Promise<Result<ImageSets, Failure>> {
  const ofKubeadm = await kubeadmImages(needed, folder);
  if (!ofKubeadm.ok) return ofKubeadm;
  const ofPlugin = await pluginImages(needed, folder);
  if (!ofPlugin.ok) return ofPlugin;
  const isForControlPlanes = (name: string): boolean =>
    /\/(?:kube-apiserver|kube-controller-manager|kube-scheduler|etcd):/.test(name);
  const controlPlane = references(ofKubeadm.value.filter(isForControlPlanes));
  const node = references([
    ...ofKubeadm.value.filter((name) => !isForControlPlanes(name)),
    ...needed.images,
    ...ofPlugin.value,
  ]);
  if (!controlPlane.ok) return controlPlane;
  if (!node.ok) return node;
  const sets = { controlPlane: controlPlane.value, node: node.value };
  if (needed.conformance !== true) return ok(sets);
  const ofTests = await testImages(folder);
  return ofTests.ok ? ok({ ...sets, conformance: ofTests.value }) : ofTests;
}

/**
 * What the tests of the version say that they pull, but for what no conformance test does: images of storage drivers and of
 * measurements, and those that are there to be refused.
 */
async function testImages(folder: string): Promise<Result<readonly ImageReference[], Failure>> {
  const own = await mkdtemp(join(tmpdir(), 'playsmith-'));
  try {
    const path = join(own, 'e2e.test');
    if (!(await takeMember(join(folder, testsArchive), 'kubernetes/test/bin/e2e.test', path)))
      return failed({ kind: 'bundle', message: `${testsArchive} holds no e2e.test`, evidence: '' });
    const said = await askProgram(path, ['--list-images']);
    return said.ok ? references(said.value.split('\n').filter(isOfConformance)) : said;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

const isOfConformance = (name: string): boolean =>
  /^registry\.k8s\.io\/e2e-test-images\/(?!volume\/|node-perf\/)\S+:\S+$/.test(name);

function references(names: readonly string[]): Result<readonly ImageReference[], Failure> {
  const found = new Map<string, ImageReference>();
  for (const text of names) {
    const image = imageReference(text);
    if (image === undefined)
      return failed({
        kind: 'bundle',
        message: `${JSON.stringify(text)} is no name of an image`,
        evidence: '',
      });
    found.set(imageNames(image).join(' '), image);
  }
  return ok([...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, image]) => image));
}

const kubeadmImages = (
  { kubernetes, imageRepository }: ArtifactList,
  folder: string,
): Promise<Result<readonly string[], Failure>> =>
  askProgram(join(folder, 'binaries/kubeadm'), [
    ...['config', 'images', 'list', '--kubernetes-version', `v${kubernetes}`],
    ...(imageRepository === '' ? [] : ['--image-repository', imageRepository]),
  ]).then((said) =>
    said.ok ? ok(said.value.split('\n').filter((line) => /^\S+\/\S+:\S+$/.test(line))) : said,
  );

async function pluginImages(
  { plugin, pluginManifest, chartValues, kubernetes }: ArtifactList,
  folder: string,
): Promise<Result<readonly string[], Failure>> {
  if (pluginManifest !== '') return ok(imagesIn(pluginManifest));
  switch (plugin) {
    case 'none':
    case 'static-routes':
    case 'flannel':
      return ok([]);
    case 'calico':
      return ok(imagesIn(await readFile(join(folder, 'manifests/calico.yaml'), 'utf8')));
    case 'cilium': {
      const chart = ['template', 'cilium', join(folder, 'charts/cilium.tgz'), '--namespace=kube-system'];
      const words = [...chart, '--values=-', `--kube-version=${kubernetes}`];
      const made = await askProgram(join(folder, 'binaries/helm'), words, JSON.stringify(chartValues));
      return made.ok ? ok(imagesIn(made.value)) : made;
    }
  }
}

/** The image of every container of a manifest. */
export function imagesIn(text: string): readonly string[] {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [key, each] of Object.entries(value)) {
      if (/^(?:initC|c)ontainers$/.test(key) && Array.isArray(each))
        for (const { image } of each as readonly { readonly image?: unknown }[])
          if (typeof image === 'string') found.add(image);
      walk(each);
    }
  };
  loadAll(text).forEach(walk);
  return [...found].sort();
}

/** Runs a program of the artifacts, whose checksum was right, from a place where programs may run. */
async function askProgram(
  path: string,
  words: readonly string[],
  input = '',
): Promise<Result<string, Failure>> {
  const folder = await mkdtemp(join(tmpdir(), 'playsmith-'));
  try {
    const copy = join(folder, 'program');
    await copyFile(path, copy);
    await chmod(copy, 0o700);
    const said = await program([copy, ...words], { cwd: folder, env: { HOME: folder }, input });
    if (said.ok) return ok(said.value.stdout);
    return failed({
      kind: 'server',
      message: `${path.split('/').at(-1) ?? ''} of the artifacts does not run on this machine: ${said.failure.message}`,
      evidence: lastLines(said.failure, 5),
      next: 'It names the images that are needed: prepare the artifacts on Linux with an amd64 processor',
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
