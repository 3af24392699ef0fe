import { describe, expect, test } from 'vitest';
import { changed, saidBesides } from '../../support.ts';

/** What is said of a cluster of kubeadm that is told one thing more, without line and column. */
const said = (more: string, version = '1.37.2', edit: readonly [string, string] = ['', '']): string[] =>
  saidBesides(
    changed(
      [
        'network:\n',
        `installer: { kubeadm: { version: ${version}${more === '' ? '' : `, ${more}`} } }\nnetwork:\n  plugin: static-routes\n`,
      ],
      edit,
    ),
  ).map((line) => line.replace(/^(warning )?\S+ /, '$1'));

const worker = (kubelet: string): string[] =>
  said('', '1.37.2', ['address: 192.0.2.21', `address: 192.0.2.21\n    kubelet: { ${kubelet} }`]);

describe('a value with which nothing starts is refused', () => {
  test.each([
    ['kubeProxy: { mode: iptable }', 'it knows no such mode → iptables'],
    ['kubeProxy: { mode: IPVS }', 'it knows no such mode → ipvs'],
    ['kubeProxy: { mode: nft }', 'it knows no such mode → '],
    ['kubeProxy: { featureGates: { AllAlpha: "true" } }', 'kube-proxy does not start with this value'],
    [
      'extraArguments: { apiServer: { feature-gates: AllAlpha=yes } }',
      '"AllAlpha=yes" does not say of a feature gate whether it is true or false → AllAlpha=true',
    ],
    ['extraArguments: { scheduler: { feature-gates: AllAlpha } }', '"AllAlpha" does not say'],
    [
      'extraArguments: { etcd: { feature-gates: "LeaseCheckpoint=on" } }',
      '"LeaseCheckpoint=on" does not say',
    ],
    ['kubelet: { maxPods: "110" }', 'this value of `maxPods` → a whole number, 0 or more, without quotes'],
    ['kubelet: { maxPods: -1 }', 'this value of `maxPods`'],
    ['kubelet: { maxPods: 110.5 }', 'this value of `maxPods`'],
    ['kubelet: { imageGCHighThresholdPercent: 101 }', 'a whole number from 0 to 100'],
    ['kubelet: { failSwapOn: "false" }', 'this value of `failSwapOn` → failSwapOn: true, or false'],
    ['kubelet: { featureGates: AllAlpha=true }', 'featureGates: { ImageVolume: true }'],
    ['kubelet: { featureGates: { AllAlpha: "true" } }', 'true or false, without quotes'],
    ['kubelet: { systemReserved: { cpu: 1 } }', 'this value of `cpu` → the same in "quotes"'],
    ['audit: { rules: [{ users: [a] }] }', 'a rule that says no `level` → level: Metadata'],
    ['audit: { rules: [{ level: metadata }] }', 'such a `level` → Metadata'],
    ['audit: { rules: [{ level: All }] }', 'None, Metadata, Request, RequestResponse'],
    [
      'extraArguments: { apiServer: { disable-admission-plugins: "PodSecurity, NodeRestriction" } }',
      'kubeadm enables NodeRestriction',
    ],
    [
      'extraArguments: { apiServer: { enable-admission-plugins: AlwaysPullImages } }',
      'this replaces the NodeRestriction that kubeadm enables, so each kubelet could change what belongs to other nodes → NodeRestriction,AlwaysPullImages',
    ],
  ])('%s', (more, expected) => {
    expect(said(more)).toEqual([expect.stringContaining(expected)]);
  });
});

test.each([
  'kubeProxy: { mode: nftables }',
  'kubeProxy: { mode: "" }',
  'extraArguments: { apiServer: { feature-gates: "AllAlpha=False, AllBeta=1," } }',
  'extraArguments: { apiServer: { enable-admission-plugins: "AlwaysPullImages, NodeRestriction" } }',
  'kubelet: { maxPods: 0, oomScoreAdj: -999, failSwapOn: false, evictionHard: { memory.available: 100Mi } }',
  'kubelet: { featureGates: { AllAlpha: false }, shutdownGracePeriod: 30s }',
  'audit: { rules: [{ level: None }, { level: RequestResponse }] }',
])('%s is sound', (more) => {
  expect(said(more)).toEqual([]);
});

test('every spelling of true is true for a gate that is always on', () => {
  const gate = (value: string): string[] =>
    said(`extraArguments: { apiServer: { feature-gates: StructuredAuthenticationConfiguration=${value} } }`);
  for (const value of ['True', 'T', '1']) expect(gate(value)).toEqual(gate('true'));
  expect(gate('F')).toEqual(gate('false'));
});

describe('the kubelet of one node', () => {
  test.each([
    ['maxPods: many', 'this value of `maxPods`'],
    ['featureGates: { KMSv2: true }', 'KMSv2 was removed in'],
  ])('is judged like that of all: %s', (kubelet, expected) => {
    expect(worker(kubelet)).toEqual([expect.stringContaining(expected)]);
  });
});

describe('arguments of etcd', () => {
  test.each([
    [
      '1.37.2',
      'experimental-compaction-batch-limit: "100"',
      '`compaction-batch-limit`, without `experimental-`',
    ],
    ['1.37.2', 'experimental-initial-corrupt-check: "true"', 'feature-gates: InitialCorruptCheck=true'],
    [
      '1.34.4',
      'enable-v2: "true"',
      '`enable-v2` was removed in etcd 3.6, and Kubernetes 1.34 comes with 3.6 → leave it out',
    ],
    ['1.37.2', 'proxy: "off"', '`proxy` was removed in etcd 3.6, and Kubernetes 1.37 comes with 3.7'],
    ['1.37.2', 'discovery-proxy: a', 'was removed in etcd 3.7'],
  ])('that the etcd of Kubernetes %s does not know: %s', (version, argument, expected) => {
    expect(said(`extraArguments: { etcd: { ${argument} } }`, version)).toContainEqual(
      expect.stringContaining(expected),
    );
  });

  test('work as long as its etcd knows them', () => {
    expect(said('extraArguments: { etcd: { experimental-corrupt-check-time: 1h } }', '1.36.3')).toEqual([]);
    expect(said('extraArguments: { etcd: { corrupt-check-time: 1h } }')).toEqual([]);
  });
});
