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
  /** Endpoints of OpenStack for Cluster API's provider where a definition says nothing. */
  readonly endpoint: 'internal' | 'public';
  /** It changes the number of control planes of a cluster that is there. */
  readonly resizesControlPlanes: (version: string) => boolean;
  /** A group of workers beside the default one is made only where its labels, or its cluster's, say `availability_zone`. */
  readonly groupsNeedZone: (version: string) => boolean;
  /** What templates have to say of load balancers, since the driver would ask for others. */
  readonly templateLabels: (version: string) => Readonly<Record<string, string>>;
  /** Where a cluster keeps which version of Kubernetes was asked for last: in its labels, or in those of its template. */
  readonly versionIn: 'labels' | 'template';
  /** Of Cluster API's objects; `{project_id}` is that of the cluster. */
  readonly namespace: (prefix: string) => string;
  /** What an image has to say beside its driver. */
  readonly imageProperties: (kubernetes: string) => Readonly<Record<string, string>>;
  /** Keys of a definition that do nothing with it, and why. */
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
    endpoint: 'internal',
    resizesControlPlanes: (version) => compareReleases(version, '0.30.0') >= 0,
    // It would write null, which Cluster API refuses. Tried with 0.36.6 and Cluster API 1.13.2; read up to 0.38.1.
    groupsNeedZone: (version) => compareReleases(version, '0.31.0') >= 0,
    // OpenStack-Ansible does not enable `amphorav2`.
    templateLabels: (version) =>
      compareReleases(version, '0.35.0') >= 0 ? { octavia_provider: 'amphora' } : {},
    versionIn: 'labels',
    namespace: () => 'magnum-system',
    imageProperties: () => ({}),
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
    endpoint: 'public',
    resizesControlPlanes: () => true,
    groupsNeedZone: () => false,
    templateLabels: () => ({}),
    versionIn: 'template',
    namespace: (prefix) => `${prefix}-{project_id}`,
    imageProperties: (kubernetes) => ({ kube_version: kubernetes }),
    without: {
      proxy: 'the proxy belongs to magnum-cluster-api',
      offline: 'what its charts pull is not known here, so the mirrors cannot be complete',
    },
  },
};
