import { expect, test } from 'vitest';
import type { RunOptions } from '../../../../tasks/runtime/agent/run-records.ts';
import { aim } from '../../../../tasks/steps/run/scope.ts';
import { kubeadmCluster, machine } from '../../../support/definitions/clusters.ts';

const given = kubeadmCluster({
  machines: [
    machine('cp1', '10.0.0.11', { roles: ['control-plane', 'etcd'] }),
    machine('worker1', '10.0.0.21', { roles: ['worker'] }),
    machine('worker2', '10.0.0.22', { roles: ['worker'] }),
  ],
});

const aimed = (
  playbook: string,
  words: readonly string[],
  { count = 0, leader = '', options = {} }: { count?: number; leader?: string; options?: RunOptions } = {},
): unknown => {
  const found = aim(given, { playbook, choice: { words, count, policy: 'newest' }, leader, options });
  return found.ok ? found.value : found.failure;
};

test('a phase, and an operation of the whole cluster, need no scope and take no names', () => {
  expect(aimed('host', [])).toBeUndefined();
  expect(aimed('instantiate', [])).toBeUndefined();
  expect(aimed('host', ['worker1'])).toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('--limit') as string,
  });
});

test('names that are none are refused before any connection, all of them at once', () => {
  expect(aimed('scale-out', ['worker3', 'nobody'])).toEqual({
    kind: 'usage',
    message: 'worker3 is no machine of the cluster; is it worker1?\nnobody is no machine of the cluster',
  });
});

test('a number chooses workers, and keeps one', () => {
  expect(aimed('scale-in', [], { count: 1 })).toMatchObject({ targets: ['worker2'], leaving: ['worker2'] });
  expect(aimed('scale-in', [], { count: 2 })).toMatchObject({ kind: 'usage' });
});

test('a limit beside targets is refused, since it would take the speaker of the cluster away', () => {
  expect(aimed('scale-out', ['worker1'], { options: { limit: ['worker1'] } })).toMatchObject({
    kind: 'usage',
  });
});
