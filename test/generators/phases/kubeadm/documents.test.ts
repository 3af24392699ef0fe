import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { hostPort } from '../../../../generators/phases/kubeadm/documents.ts';
import { mergeSettings } from '../../../../generators/cluster/merge-settings.ts';
import { nodeMasks } from '../../../../generators/phases/kubeadm/masks.ts';
import { kubernetesSettings } from '../../../../generators/phases/control-plane/kubernetes-settings.ts';
import { controlPlane } from '../../../../generators/phases/control-plane/control-plane.ts';
import { upgrade } from '../../../../generators/phases/control-plane/upgrade.ts';
import { workers } from '../../../../generators/phases/node/workers.ts';
import { engine } from '../../../../generators/engine.ts';
import { cluster, endpoint, kubeadm, machine } from '../../../support/definitions/clusters.ts';
import { fieldProblems } from '../../../support/definitions/kubeadm-types.ts';
import { templates } from '../../../support/definitions/templates.ts';

const versions = ['1.31.4', '1.37.1'];

/** Everything that shapes what kubeadm is told. */
function everything(version: string): Cluster {
  const machines = [
    machine('cp1', '10.0.0.11', { roles: ['control-plane', 'etcd'] }),
    machine('cp2', '10.0.0.12', { roles: ['control-plane', 'etcd', 'worker'] }),
    machine('w1', '10.0.0.21', {
      roles: ['worker'],
      taints: [{ key: 'dedicated', value: 'cnf', effect: 'NoExecute' }],
    }),
  ];
  const { kubernetes, ...others } = kubeadm(machines, { version });
  const base = endpoint(machines);
  return cluster({
    machines,
    ...others,
    kubernetes: {
      ...kubernetes,
      imageRepository: 'registry.example.org/kubernetes',
      extraArguments: {
        apiServer: [{ name: 'event-ttl', value: '2h' }],
        controllerManager: [{ name: 'terminated-pod-gc-threshold', value: '100' }],
        scheduler: [{ name: 'v', value: '2' }],
        etcd: [{ name: 'quota-backend-bytes', value: '8589934592' }],
      },
      kubelet: { maxPods: 200, evictionHard: { 'memory.available': '50Mi' } },
      kubeProxy: { mode: 'ipvs', conntrack: { maxPerCore: 0 } },
      audit: { rules: [{ level: 'Metadata' }], keepDays: 30, keepFiles: 10, megabytes: 100 },
      encryption: { provider: 'secretbox', keyVariable: 'vault_key' },
    },
    endpoint: { ...base, haproxy: { ...base.haproxy, etcdPort: 2380 } },
    network: {
      nodeSubnets: ['10.0.0.0/24'],
      podSubnets: ['10.244.0.0/22', 'fd00:10:244::/56'],
      serviceSubnets: ['10.96.0.0/16', 'fd00:10:96::/112'],
      apiServerPort: 6443,
    },
  });
}

describe.each(versions)('what kubeadm of Kubernetes %s is told', (version) => {
  const given = everything(version);
  const fill = engine(templates, given.name);
  const files = [kubernetesSettings, controlPlane, workers]
    .flatMap((phase) => phase.render(given, fill))
    .filter(({ path }) => /\/(kubeadm|join)\b.*\.yaml/.test(path));

  test('is there for every node', () => {
    expect(files.map(({ path }) => path)).toEqual([
      'files/kubernetes-settings/kubeadm.yaml.j2',
      'files/kubernetes-settings/kubeadm/cp2.yaml.j2',
      'files/control-plane/join.yaml.j2',
      'files/control-plane/join/cp2.yaml.j2',
      'files/workers/join.yaml.j2',
    ]);
  });

  test.each(files.map(({ path, text }) => [path, text] as const))('%s is as reviewed', async (path, text) => {
    const golden = join(import.meta.dirname, '../../../golden/kubeadm', version, path);
    await expect(text).toMatchFileSnapshot(golden);
  });

  test.each(files.map(({ path, text }) => [path, text] as const))(
    '%s has only fields that the published types have',
    (_, text) => {
      expect(fieldProblems(text)).toEqual([]);
    },
  );
});

describe('the configuration of kubeadm', () => {
  test('puts brackets around an IPv6 endpoint', () => {
    expect(hostPort('2001:db8::1', 6443)).toBe('[2001:db8::1]:6443');
    expect(hostPort('10.0.0.1', 6443)).toBe('10.0.0.1:6443');
  });

  test.each([
    [['10.244.0.0/16'], []],
    [['10.244.0.0/20'], []],
    [['10.244.0.0/22'], [{ name: 'node-cidr-mask-size', value: '26' }]],
    [['10.244.0.0/28'], [{ name: 'node-cidr-mask-size', value: '30' }]],
    [['fd00::/56'], []],
    [['fd00::/32'], [{ name: 'node-cidr-mask-size', value: '48' }]],
    [['fd00::/64'], [{ name: 'node-cidr-mask-size', value: '68' }]],
    [['10.244.0.0/22', 'fd00::/56'], [{ name: 'node-cidr-mask-size-ipv4', value: '26' }]],
    [['10.244.0.0/16', 'fd00::/64'], [{ name: 'node-cidr-mask-size-ipv6', value: '68' }]],
  ])('cuts the pod network %j with %j', (subnets, expected) => {
    expect(nodeMasks(subnets)).toEqual(expected);
  });

  test('keeps what is ours where the definition says something else, and takes the rest', () => {
    expect(mergeSettings({ a: 1, nested: { ours: 2, theirs: 3 } }, { a: 0, nested: { ours: 1 } })).toEqual({
      a: 0,
      nested: { ours: 1, theirs: 3 },
    });
  });
});

describe('a kubelet that may run on cgroup v1', () => {
  const told = (version: string, kubelet: Cluster['kubernetes']['kubelet']): string => {
    const base = everything(version);
    const given = { ...base, kubernetes: { ...base.kubernetes, kubelet } };
    const fill = engine(templates, given.name);
    return [kubernetesSettings, controlPlane, workers, upgrade]
      .flatMap((phase) => phase.render(given, fill))
      .filter(({ path }) => /\/(kubeadm|join)\b.*\.j2$|^upgrade\.yml$/.test(path))
      .map(({ text }) => text)
      .join('');
  };

  test('is let pass by every call of kubeadm, which would refuse the same host by itself', () => {
    const text = told('1.37.2', { failCgroupV1: false });
    expect(text.match(/ignorePreflightErrors:\n +- "SystemVerification"/g)).toHaveLength(5);
    expect(
      text.match(/options: "\{\{ \['--ignore-preflight-errors=SystemVerification'\] \}\}"\n/g),
    ).toHaveLength(1);
  });

  test.each([
    ['is not asked for', '1.37.2', {}],
    ['is refused by the definition itself', '1.37.2', { failCgroupV1: true }],
    ['is let pass by kubeadm anyway', '1.34.4', { failCgroupV1: false }],
  ])('changes nothing where it %s', (_, version, kubelet) => {
    expect(told(version, kubelet)).not.toContain('SystemVerification');
  });
});
