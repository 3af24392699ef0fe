/** The image of the pause container that kubeadm of a version wants, below `imageRepository` where one is given. */
export function pauseImageOf(version: string, imageRepository: string): string {
  const minor = Number(version.split('.')[1]);
  const [, tag = ''] = tags.findLast(([since]) => since <= minor) ?? [];
  return `${imageRepository === '' ? registryOf(version) : imageRepository}/pause:${tag}`;
}

/** `DefaultImageRepository` of kubeadm: the new name came with 1.25, and with one patch release of each before it. */
function registryOf(version: string): string {
  const [, minor = 0, patch = 0] = version.split('.').map(Number);
  const since = new Map([
    [22, 17],
    [23, 15],
    [24, 9],
  ]).get(minor);
  return minor >= 25 || (since !== undefined && patch >= since) ? 'registry.k8s.io' : 'k8s.gcr.io';
}

/** `PauseVersion` of kubeadm, by the first minor version that has it. */
const tags: readonly (readonly [since: number, tag: string])[] = [
  [20, '3.2'],
  [21, '3.4.1'],
  [22, '3.5'],
  [23, '3.6'],
  [24, '3.7'],
  [25, '3.8'],
  [26, '3.9'],
  [31, '3.10'],
  [34, '3.10.1'],
  [36, '3.10.2'],
];
