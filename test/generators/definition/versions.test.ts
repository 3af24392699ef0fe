import { describe, expect, test } from 'vitest';
import { defaultVersion, minors, readOn } from '../../../generators/catalog/kubernetes/minors.ts';
import { changed, said } from './support.ts';

const sum = '0123456789abcdef'.repeat(4);
const withVersion = (version: string, more = ''): string =>
  changed([
    'network:\n',
    `installer: { kubeadm: { version: ${version}${more} } }\nnetwork:\n  plugin: static-routes\n`,
  ]);
const withContainerd = (kubernetes: string, containerd: string, cri = '{}'): string =>
  `${withVersion(kubernetes)}containerd:\n  archive: { version: ${containerd}, sha256: ${sum}, runc: { version: 1.5.2, sha256: ${sum} } }\n  cri: ${cri}\n`;
const told = (version: string, more: string): string[] =>
  said(withVersion(version, `, ${more}`)).filter((line) => !line.includes('package of containerd'));

test('the version that is written into new definitions still gets patches today', () => {
  const known = minors.find(({ minor }) => defaultVersion.startsWith(`1.${minor}.`));
  expect((known?.endOfLife ?? '') > new Date().toISOString().slice(0, 10)).toBe(true);
});

describe('the support of a release', () => {
  test('that is over is a warning with its end', () => {
    expect(said(withContainerd('1.34.4', '2.3.7'))).toEqual([
      expect.stringMatching(/^warning 5:34 Kubernetes 1.34 has got no patches since 2026-10-27 → 1\.37\.2/),
    ]);
  });

  test('is not known of what came after the table', () => {
    expect(said(withContainerd('1.38.0', '2.3.7'))).toEqual([
      expect.stringContaining(`Kubernetes 1.38 is newer than what was known on ${readOn}`),
    ]);
  });
});

describe('containerd', () => {
  test.each([
    ['1.37.2', '2.3.7'],
    ['1.36.3', '2.3.0'],
    ['1.35.4', '2.3.7'],
  ])('of the matrix is sound: %s with %s', (kubernetes, containerd) => {
    expect(said(withContainerd(kubernetes, containerd))).toEqual([]);
  });

  test('outside the matrix is a warning with one that is inside', () => {
    expect(said(withContainerd('1.37.2', '2.0.1'))).toEqual([
      expect.stringMatching(/^warning 35:23 containerd 2.0.1 was not tested with Kubernetes 1.37 → 2.3.7/),
    ]);
    expect(said(withContainerd('1.37.2', '1.7.30'))).toEqual([
      expect.stringContaining('1.37: the kubelet warns of it, and that of 1.38 refuses it → 2.3.7'),
    ]);
  });

  test('that the kubelet refuses is a fault', () => {
    expect(said(withContainerd('1.38.0', '1.7.35'))).toContainEqual(
      expect.stringMatching(/^35:23 Kubernetes 1.38 does not start with containerd before 2.0.0/),
    );
  });

  test('of a line without patches is a warning', () => {
    expect(said(withContainerd('1.36.3', '2.2.9'))).toEqual([
      expect.stringContaining('containerd 2.2 has got no patches since 2026-11-06 → 2.3.7'),
    ]);
  });

  test('of a distribution is named where its package is older than what was tested', () => {
    expect(said(withVersion('1.35.4'))).toEqual([
      'warning 5:34 Kubernetes 1.35 was not tested with the package of containerd that these have: Debian 12 (1.6.20), Debian 13 (1.7.24) → `containerd.archive` with version 2.3.7, unless your nodes have another',
    ]);
    expect(said(withVersion('1.37.2'))).toEqual([expect.stringContaining('Ubuntu 24.04 (2.2.1)')]);
  });

  test('reads over a setting that no plugin of it knows, so it is a fault', () => {
    expect(said(withContainerd('1.37.2', '2.4.2', '{ max_concurrent_download: 5 }'))).toEqual([
      '36:10 no CRI plugin of containerd 2.4.2 knows `max_concurrent_download` → max_concurrent_downloads',
    ]);
    expect(said(withContainerd('1.37.2', '2.4.2', '{ enable_cdi: true }'))).toHaveLength(1);
    expect(said(withContainerd('1.37.2', '2.3.7', '{ enable_cdi: true }'))).toEqual([]);
  });
});

describe('what a release of Kubernetes refuses', () => {
  test.each([
    [
      'extraArguments: { apiServer: { cloud-provider: external } }',
      '`cloud-provider` was removed in Kubernetes 1.33',
    ],
    [
      'extraArguments: { apiServer: { enable-admission-plugins: "NodeRestriction,PodSecurityPolicy" } }',
      'the admission plugin PodSecurityPolicy was removed in Kubernetes 1.25 → `PodSecurity`, which is on by itself',
    ],
    [
      'extraArguments: { scheduler: { feature-gates: "SidecarContainers=true" } }',
      'the feature gate SidecarContainers was removed in Kubernetes 1.37 → leave it out: it is always on',
    ],
    [
      'kubelet: { featureGates: { SidecarContainers: true } }',
      'gate SidecarContainers was removed in Kubernetes 1.37',
    ],
    [
      'kubeProxy: { mode: ipvs }',
      'the mode ipvs of kube-proxy is deprecated since Kubernetes 1.35, off by itself from 1.40 on and removed in 1.43 → mode: nftables',
    ],
  ])('%s', (more, expected) => {
    expect(told('1.37.2', more)).toEqual([expect.stringContaining(expected)]);
  });

  test('is judged by the release', () => {
    expect(told('1.36.3', 'kubelet: { featureGates: { SidecarContainers: true } }')).toEqual([]);
    expect(told('1.36.3', 'kubelet: { featureGates: { SidecarContainers: false } }')).toEqual([
      expect.stringContaining(
        'the feature gate SidecarContainers is always true in Kubernetes 1.36 → leave it out',
      ),
    ]);
    expect(told('1.36.3', 'kubelet: { defaultPodSysctls: {} }')).toEqual([
      expect.stringContaining(
        'the kubelet of 1.36 does not know `defaultPodSysctls` → Kubernetes 1.37 or later',
      ),
    ]);
    expect(told('1.37.2', 'kubelet: { defaultPodSysctls: {} }')).toEqual([]);
  });
});
