import { describe, expect, test } from 'vitest';
import { removedApis } from '../../../../generators/catalog/kubernetes/apis.ts';
import { judgeKind } from '../../../../generators/catalog/kubernetes/kinds.ts';

describe('what Kubernetes serves no more', () => {
  test('is named with the release that dropped it, and what takes its place', () => {
    expect(removedApis(25)).toContainEqual({
      apiVersion: 'policy/v1beta1',
      kind: 'PodDisruptionBudget',
      resource: 'poddisruptionbudgets',
      since: 25,
      instead: 'policy/v1',
    });
    expect(removedApis(22).map(({ resource }) => resource)).toEqual(
      expect.arrayContaining(['ingresses', 'ingressclasses', 'leases']),
    );
  });

  test('grows from release to release', () => {
    const since36 = removedApis(37).filter(({ since }) => since > 36);
    expect(since36.map(({ apiVersion, kind }) => `${kind} of ${apiVersion}`)).toEqual([
      'ClusterTrustBundle of certificates.k8s.io/v1alpha1',
      'IPAddress of networking.k8s.io/v1beta1',
      'ServiceCIDR of networking.k8s.io/v1beta1',
      'VolumeAttributesClass of storage.k8s.io/v1beta1',
    ]);
    expect(removedApis(21)).toEqual([]);
  });

  test.each(removedApis(99))('$kind of $apiVersion is refused in manifests too', (api) => {
    expect(judgeKind(api, `1.${api.since}.0`)).toMatchObject({ known: false });
  });

  test.each(removedApis(99).filter(({ instead }) => /\/v\d+$/.test(instead)))(
    '$instead has $kind where $apiVersion is gone',
    ({ kind, instead, since }) => {
      expect(judgeKind({ apiVersion: instead, kind }, `1.${Math.max(since, 37)}.0`)).toMatchObject({
        known: true,
      });
    },
  );
});
