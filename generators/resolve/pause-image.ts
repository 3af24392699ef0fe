/** The image of the pause container that kubeadm of a version wants, below `imageRepository` where one is given. */
export function pauseImageOf(version: string, imageRepository: string): string {
  const minor = Number(version.split('.')[1]);
  const [, tag = ''] = tags.findLast(([since]) => since <= minor) ?? [];
  return `${imageRepository === '' ? 'registry.k8s.io' : imageRepository}/pause:${tag}`;
}

/** `PauseVersion` of kubeadm, by the first minor version that has it. */
const tags: readonly (readonly [since: number, tag: string])[] = [
  [31, '3.10'],
  [34, '3.10.1'],
  [36, '3.10.2'],
];
