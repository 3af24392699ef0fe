import { describe, expect, test } from 'vitest';
import { load } from 'js-yaml';
import { keepalived } from '../../../../generators/phases/load-balancer/keepalived.ts';
import { preflight } from '../../../../generators/phases/node/preflight.ts';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { awkward, cluster, kubeadmCluster, single } from '../../../support/definitions/clusters.ts';
import { breachesOf, filesOf, textOf } from '../../../support/definitions/phase-files.ts';

const variables = (given: Cluster): Readonly<Record<string, unknown>> => {
  const plays = load(textOf(preflight, given, 'preflight.yml')) as readonly {
    readonly vars?: Readonly<Record<string, unknown>>;
  }[];
  return plays[1]?.vars ?? {};
};

describe('the phase preflight', () => {
  test('looks at nodes only where it is us who make them nodes', () => {
    const paths = (given: Cluster): readonly string[] => filesOf(preflight, given).map(({ path }) => path);
    expect(paths(cluster())).not.toContain('files/preflight/release.yml');
    expect(paths(kubeadmCluster())).toContain('files/preflight/release.yml');
    expect(textOf(preflight, single(), 'preflight.yml')).not.toContain('stranger on');
  });

  test('knows by role which program may hold which port', () => {
    expect(variables(kubeadmCluster())['preflight_programs']).toEqual({
      load_balancers: { '6440': ['haproxy'] },
      kube_control_plane: {
        '6443': ['kube-apiserver'],
        '2379': ['etcd'],
        '2380': ['etcd'],
        '10257': ['kube-controller'],
        '10259': ['kube-scheduler'],
      },
      k8s_cluster: { '10250': ['kubelet'] },
    });
    expect(variables(single())['preflight_programs']).toEqual({});
  });

  test('compares a node with the endpoint in the form that kubeadm writes', () => {
    expect(variables(awkward())['preflight_node']).toMatchObject({
      cluster: 'awkward',
      version: '1.34.1',
      servers: ['https://[2001:db8::100]:6443', `https://{{ '[' ~ ip ~ ']' if ':' in ip else ip }}:6443`],
      networks: ['fd00:10:244::/56', 'fd00:10:96::/112'],
    });
  });

  test.each([cluster(), awkward(), single(), kubeadmCluster()])(
    'keeps the house rules for $name',
    (given) => {
      expect(
        breachesOf(
          [preflight, keepalived].filter((phase) => phase.applies(given)),
          given,
        ),
      ).toEqual([]);
    },
  );
});
