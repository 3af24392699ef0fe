import { expect, test } from 'vitest';
import { minors } from '../../../../generators/catalog/kubernetes/minors.ts';
import { kubeadmApi } from '../../../../generators/phases/kubeadm/api.ts';
import { pauseImageOf } from '../../../../generators/resolve/pause-image.ts';

test.each(minors)('what is written for 1.$minor is what the table says', ({ newest, ...minor }) => {
  expect(kubeadmApi).toBe(`kubeadm.k8s.io/${minor.kubeadmWrites}`);
  expect(minor.kubeadmReads).toContain(minor.kubeadmWrites);
  expect(pauseImageOf(newest, '')).toBe(`registry.k8s.io/pause:${minor.pause}`);
});

test('the minor versions follow one another, and their support ends in that order', () => {
  expect(minors.map(({ minor }) => minor)).toEqual([31, 32, 33, 34, 35, 36, 37]);
  expect(minors.map(({ endOfLife }) => endOfLife)).toEqual(
    minors.map(({ endOfLife }) => endOfLife).toSorted(),
  );
});
