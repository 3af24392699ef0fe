import { load as loadYaml } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { engine } from '../../../../generators/engine.ts';
import { workers } from '../../../../generators/phases/node/workers.ts';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { cluster, kubeadm, machine } from '../../../support/definitions/clusters.ts';
import { templates } from '../../../support/definitions/templates.ts';

const machines = [
  machine('cp1', '10.0.0.11', { roles: ['control-plane', 'etcd'], labels: [{ key: 'zone', value: 'a' }] }),
  machine('both', '10.0.0.12', { roles: ['control-plane', 'etcd', 'worker'] }),
  machine('w1', '10.0.0.21', {
    roles: ['worker'],
    taints: [{ key: 'dedicated', value: 'cnf', effect: 'NoSchedule' }],
  }),
  machine('lb1', '10.0.0.31', { roles: ['load-balancer'] }),
];

const rendered = (given: Cluster): ReadonlyMap<string, string> =>
  new Map(workers.render(given, engine(templates, given.name)).map(({ path, text }) => [path, text]));

describe('the phase workers', () => {
  const files = rendered(cluster({ machines, ...kubeadm(machines) }));

  test('joins those that are workers alone', () => {
    expect([...files.keys()].filter((path) => path.includes('/join'))).toEqual([
      'files/workers/join.yaml.j2',
    ]);
  });

  test('marks nodes of every role, and no other machine', () => {
    expect(loadYaml(files.get('files/workers/marks.yml') ?? '')).toEqual({
      cp1: {
        labels: { zone: 'a' },
        taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
      },
      both: { labels: { 'node-role.kubernetes.io/worker': '' }, taints: [] },
      w1: {
        labels: { 'node-role.kubernetes.io/worker': '' },
        taints: [{ key: 'dedicated', value: 'cnf', effect: 'NoSchedule' }],
      },
    });
  });

  test('invites nobody where every worker is a control plane', () => {
    const alone = machines.filter(({ name }) => name === 'both');
    const given = rendered(cluster({ machines: alone, ...kubeadm(alone) }));
    expect([...given.keys()]).toEqual(['workers.yml', 'files/workers/marks.yml']);
    expect(given.get('workers.yml')).not.toContain('invite.py');
  });
});
