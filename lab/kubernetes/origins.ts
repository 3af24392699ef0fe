import { goToolchain, modulesOf } from './modules.ts';
import { images, suites } from './recipe.ts';
import type { LabRelease } from './releases.ts';

/** Where each file of the artifacts comes from, in a sentence, by its path. */
export function origins(release: LabRelease): ReadonlyMap<string, string> {
  const titles = modulesOf(release).map(({ folder, title }) => [folder.split('-')[0] ?? '', title] as const);
  const built = (name: string): string =>
    `${titles.find(([folder]) => folder === name)?.[1] ?? name}, built from its Go modules with ${goToolchain}`;
  const imagesOf = (set: string): string =>
    images(release)
      .filter((image) => image.set === set)
      .map(({ reference }) => reference)
      .join(', ');
  return new Map([
    ...['kubeadm', 'kubelet', 'kubectl'].map((name) => [`binaries/${name}`, built('kubernetes')] as const),
    ['binaries/crictl', built('cri')],
    ['binaries/runc', `${built('runc')}, libseccomp and a C compiler of this machine`],
    ['archives/containerd.tar.gz', built('containerd')],
    ['archives/cni-plugins.tgz', built('cni')],
    [
      'images/control-plane.tar',
      `${imagesOf('control-plane')}: built from their Go modules with ${goToolchain}`,
    ],
    [
      'images/node.tar',
      `${imagesOf('node')}: built from their Go modules with ${goToolchain}, pause from its C source; kube-proxy's tools and a shell from Debian 12; echo and nfs are the lab's own`,
    ],
    ['archives/kubernetes-test.tar.gz', built('kubernetes')],
    [
      'images/conformance.tar',
      `agnhost built from its Go modules with ${goToolchain}; all that it calls, and busybox, from Debian 12`,
    ],
    ...['control-plane', 'node', 'conformance'].map(
      (set) => [`images/${set}.list`, `names the images of images/${set}.tar`] as const,
    ),
    ...packageOrigins,
  ]);
}

export const packageOrigins = Object.keys(suites).map(
  (name) => [`packages/${name}.tar`, name.replace('debian-', 'Debian ')] as const,
);
