import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { patch } from '../../../../generators/phases/node/patch.ts';
import { kubeadmCluster, machine } from '../../../support/definitions/clusters.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';

const wanted = { packages: { openssl: '3.0.17-1' }, rebootAfter: [], workersAtOnce: 3 };
const patched = (more: Partial<Cluster> = {}): Cluster => ({ ...kubeadmCluster(), patch: wanted, ...more });

interface Play {
  readonly hosts?: string;
  readonly serial?: unknown;
}

const playsOf = (cluster: Cluster): readonly Play[] =>
  (load(textOf(patch, cluster, 'patch.yml')) as readonly Play[]).filter(({ serial }) => serial !== undefined);

test('is rendered only where the definition lists packages', () => {
  expect(patch.applies(kubeadmCluster())).toBe(false);
  expect(patch.applies(patched())).toBe(true);
});

test('keeps the house rules', () => {
  expect(breachesOf([patch], patched())).toEqual([]);
});

describe('the order', () => {
  test('is each control plane alone, then so many workers, then the other machines alone', () => {
    const beside = machine('store', '10.0.0.90', { roles: ['storage'] });
    const { machines } = patched();
    expect(playsOf(patched({ machines: [...machines, beside] }))).toMatchObject([
      { hosts: 'kube_control_plane:kube_node', serial: [1, 1, 1, 3] },
      { hosts: 'all:!k8s_cluster', serial: 1 },
    ]);
  });

  test('is one after the other where nothing else is said, without a play for nobody', () => {
    const alone = patched({ patch: { ...wanted, workersAtOnce: 1 } });
    expect(playsOf(alone)).toMatchObject([{ serial: 1 }]);
  });
});

test('what has to run on a machine follows from what it is for', () => {
  const { machines, ...rest } = patched();
  const store = machine('store', '10.0.0.90', { roles: ['storage'] });
  const servers = [
    { host: 'store', address: '10.0.0.90', server: 'ganesha' as const, volumes: [], exports: [] },
  ];
  const cluster: Cluster = {
    ...rest,
    machines: [...machines, store],
    storage: { servers, persistentVolumes: [] },
  };
  expect(load(textOf(patch, cluster, 'files/patch/wanted.yml'))).toMatchObject({
    packages: ['openssl=3.0.17-1'],
    services: { cp1: ['containerd', 'kubelet', 'haproxy', 'keepalived'], store: ['nfs-ganesha'] },
  });
});
