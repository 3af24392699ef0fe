import { describe, expect, test } from 'vitest';
import { meaningOf } from '../../../../generators/plan/rules/rules.ts';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { kubeadmCluster, machine } from '../../../support/definitions/clusters.ts';

const kube: Cluster = {
  ...kubeadmCluster(),
  machines: [
    machine('cp1', '10.0.0.11', { roles: ['control-plane', 'etcd'] }),
    machine('w1', '10.0.0.21', { roles: ['worker'] }),
  ],
};

const said = (key: string, before?: string, after?: string): string => {
  const meaning = meaningOf(
    { path: `kubernetes.${key}`.split('.'), before, after },
    { before: kube, after: kube },
  );
  return meaning.kind === 'phases'
    ? `${meaning.phases.join()}: ${meaning.note ?? ''}`
    : JSON.stringify(meaning);
};

describe('settings of a running cluster', () => {
  test('are brought by one phase, and what restarts is said with where', () => {
    expect(said('extraArguments.scheduler.v', undefined, '2')).toBe(
      'kubernetes-settings: kube-scheduler restarts on cp1, one after the other',
    );
    expect(said('audit.keepDays', '30', '60')).toContain('kube-apiserver restarts on cp1');
    expect(said('clusterName', 'kubernetes', undefined)).toContain('kube-controller-manager restarts on cp1');
    expect(said('certificateSans', '["a"]', '["b"]')).toContain('without a restart');
    expect(said('kubeProxy.mode', undefined, 'nftables')).toContain('kube-proxy restarts on cp1, w1');
  });

  test('are refused where tokens that pods hold would be believed no longer', () => {
    const own = 'https://kubernetes.default.svc.cluster.local';
    const audiences = (before?: string, after?: string): string =>
      said('extraArguments.apiServer.api-audiences', before, after);
    for (const [before, after] of [
      [undefined, 'vault'],
      ['vault', undefined],
      ['vault,istio', 'other'],
    ])
      expect(audiences(before, after)).toContain('tokens that pods hold would no longer be believed');
    for (const [before, after] of [
      [undefined, `${own},vault`],
      [`vault,${own}`, undefined],
      ['vault,istio', 'istio'],
    ])
      expect(audiences(before, after)).toContain('kube-apiserver restarts on cp1');
  });

  test('drain a node only where the kubelet wants it empty', () => {
    expect(said('kubelet.cpuManagerPolicy', undefined, 'static')).toContain('each node is drained first');
    expect(said('kubelet.maxPods', undefined, '50')).toContain('each node is drained first');
    expect(said('kubelet.maxPods', '50', undefined)).not.toContain('drained');
    expect(said('kubelet.imageGCHighThresholdPercent', '85', '90')).not.toContain('drained');
  });

  test('say that a kubelet serves nobody until its certificate is approved', () => {
    expect(said('serverTLSBootstrap', undefined, 'true')).toBe(
      'kubernetes-settings: the kubelet restarts on cp1, w1, and pods keep running; each serves logs, exec and metrics again once its certificate is approved, within seconds',
    );
    expect(said('serverTLSBootstrap', 'true', undefined)).toContain('a certificate of its own again');
  });

  test('refuse a cloud for nodes that are there, and bring another controller', () => {
    const given: Cluster = {
      ...kube,
      kubernetes: { ...kube.kubernetes, externalCloudProvider: { objects: [], configVariable: '' } },
    };
    const key = 'kubernetes.externalCloudProvider.objects';
    const change = { path: key.split('.'), before: undefined, after: '[]' };
    expect(meaningOf(change, { before: kube, after: given })).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('would be unknown to the controller') as string,
    });
    expect(meaningOf(change, { before: given, after: kube })).toMatchObject({ kind: 'refused' });
    expect(meaningOf(change, { before: given, after: given })).toMatchObject({
      phases: ['cloud-controller'],
    });
  });

  test('of one worker restart its kubelet alone', () => {
    const change = { path: 'machines.w1.kubelet.maxPods'.split('.'), before: '110', after: '50' };
    const meaning = meaningOf(change, { before: kube, after: kube });
    expect(meaning).toMatchObject({
      phases: ['kubernetes-settings'],
      note: 'each node is drained first, then the kubelet restarts on w1; pods come back',
    });
  });

  test('are refused where what is there would be lost, with what that is', () => {
    expect(said('extraArguments.apiServer.etcd-prefix', undefined, '/other')).toContain('find nothing');
    expect(said('extraArguments.apiServer.service-account-issuer', 'a', 'b')).toContain(
      'tokens that pods hold',
    );
  });
});
