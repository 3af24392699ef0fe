import type { OsaDriver } from '../../cluster/openstack-ansible.ts';
import { azimuthLabels } from './azimuth-labels.ts';
import { labels, type DriverLabel } from './labels.ts';
import { compareReleases } from './releases.ts';

/**
 * A Cluster API driver of Magnum, by the name that OpenStack-Ansible's `magnum_k8s_driver` has for it. Read in
 * magnum-cluster-api at v0.36.6, in magnum-capi-helm at 1.4.0, and in the role os_magnum at stable/2026.1.
 */
export interface MagnumDriver {
  /** Its package. */
  readonly title: string;
  /** Its git repository. */
  readonly source: string;
  /** What its tags look like. */
  readonly tag: RegExp;
  /** What Magnum calls it, which is what `magnum_driver` of an image says. */
  readonly inMagnum: (distribution: string) => string;
  /** Values of `os_distro` for which a version of it makes nodes. */
  readonly distributions: (version: string) => readonly string[];
  readonly labels: ReadonlyMap<string, DriverLabel>;
  /** What its clusters use for pods, Services and nodes unless labels say otherwise, as far as it matters to others. */
  readonly networks: readonly string[];
  /** Keys of a definition that do nothing with it, and what holds instead. */
  readonly without: Readonly<Record<string, string>>;
}

export const magnumDrivers: Readonly<Record<OsaDriver, MagnumDriver>> = {
  vexxhost: {
    title: 'magnum-cluster-api',
    source: 'https://github.com/vexxhost/magnum-cluster-api',
    tag: /^v\d+\.\d+\.\d+$/,
    inMagnum: (distribution) => `k8s_cluster_api_${distribution}`,
    distributions: (version) => [
      ...['ubuntu', 'flatcar', 'rockylinux'],
      ...(version !== '' && compareReleases(version, '0.37.0') < 0 ? [] : ['debian']),
    ],
    labels,
    networks: ['10.100.0.0/16', '10.254.0.0/16', '10.0.0.0/24'],
    without: {},
  },
  azimuth: {
    title: 'magnum-capi-helm',
    source: 'https://opendev.org/openstack/magnum-capi-helm',
    tag: /^\d+\.\d+\.\d+$/,
    inMagnum: () => 'k8s_capi_helm_v1',
    distributions: () => ['ubuntu', 'flatcar'],
    labels: azimuthLabels,
    // Of Services, 172.24.0.0/13, nothing but their own addresses is in anybody's way.
    networks: ['172.16.0.0/13', '10.0.0.0/24'],
    without: {
      proxy: 'the proxy belongs to magnum-cluster-api',
      offline: 'what its charts pull is not known here, so the mirrors cannot be complete',
    },
  },
};
