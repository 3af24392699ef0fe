import { expect, test } from 'vitest';
import { reset } from '../../../../generators/phases/node/reset.ts';
import { cluster, endpoint, kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';

test('a kubelet of this cluster asks its endpoint, or an API server of its control plane', () => {
  const playbook = textOf(reset, kubeadmCluster(), 'reset.yml');
  for (const server of ['https://10.0.0.100:6440', 'https://10.0.0.11:6443', 'https://10.0.0.13:6443'])
    expect(playbook).toContain(`- "${server}"`);
});

test('load balancers are taken away only where there are any', () => {
  const alone = kubeadmCluster({ endpoint: endpoint([], { placement: 'none' }) });
  expect(textOf(reset, kubeadmCluster(), 'reset.yml')).toContain('load_balancer_only: true');
  expect(textOf(reset, alone, 'reset.yml')).not.toContain('load_balancers');
});

test('it keeps the house rules, and is there only where Playsmith installs Kubernetes', () => {
  expect(breachesOf([reset], kubeadmCluster())).toEqual([]);
  expect([cluster(), kubeadmCluster()].map(reset.applies)).toEqual([false, true]);
});
