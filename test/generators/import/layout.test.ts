import { describe, expect, test } from 'vitest';
import { asKubeadm, asTheBuilder, type RoleLayout } from '../../../generators/import/layout.ts';

const having = (layout: RoleLayout, count: number, role: string): number[] =>
  Array.from({ length: count }, (_, index) => index).filter((index) => layout(index, count).includes(role));

describe("the inventory builder's roles", () => {
  test.each([
    [1, [0], [0], 1],
    [2, [0], [0, 1], 2],
    [3, [0, 1, 2], [0, 1], 3],
    [49, [0, 1, 2], [0, 1], 49],
    [50, [0, 1, 2], [3, 4], 47],
    [199, [0, 1, 2], [3, 4], 196],
    [200, [0, 1, 2], [3, 4], 195],
    [500, [0, 1, 2], [3, 4], 495],
  ])('%i hosts', (count, etcd, controlPlanes, workers) => {
    expect(having(asTheBuilder, count, 'etcd')).toEqual(etcd);
    expect(having(asTheBuilder, count, 'control-plane')).toEqual(controlPlanes);
    expect(having(asTheBuilder, count, 'worker')).toHaveLength(workers);
  });
});

test('kubeadm gets one control plane or three', () => {
  expect([1, 2, 3, 4, 9].map((count) => having(asKubeadm, count, 'control-plane').length)).toEqual([
    1, 1, 3, 3, 3,
  ]);
});
