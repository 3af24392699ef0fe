import type { OsaCollection, OsaLayout, OsaVersions } from '../../cluster/openstack-ansible.ts';

/**
 * What one release of OpenStack-Ansible ships or pins. Read in openstack-ansible, openstack-ansible-ops and the
 * collections at the commits that are pinned here.
 */
export interface OsaRelease {
  readonly layout: OsaLayout;
  /** First number of OpenStack-Ansible's own version, as the deploy host tells it. */
  readonly major: number;
  readonly collections: readonly OsaCollection[];
  /** What OpenStack-Ansible's own list of collections depends on and leaves to Ansible Galaxy, in whatever version is there. */
  readonly fromGalaxy: readonly OsaCollection[];
  readonly versions: OsaVersions;
  readonly carries: CarriedVersions;
  /** The driver must be older than this: its build asks for more than the release's playbooks install. */
  readonly driverBelow: string;
  readonly driverBecause: string;
  /** What the release's role installs of azimuth's driver; undefined: it has no such driver. */
  readonly azimuth?: Pick<OsaVersions, 'driver' | 'charts' | 'addonProvider'>;
  readonly proxy: ProxyVariables;
}

/** The variables that the release's playbook and role for the proxy read. */
export interface ProxyVariables {
  readonly hosts: string;
  readonly environment: string;
  /** Of the driver that is installed there: its tag, and its git repository. */
  readonly version: string;
  readonly source: string;
  /** URL of the constraints that it is installed by. */
  readonly constraints: string;
}

/** What the pinned Kubernetes collection really has in it. */
export interface CarriedVersions {
  /** SHA-256 sums of these are in its `clusterctl` role. */
  readonly clusterctl: readonly string[];
  /** Manifests of these are in its `cluster_api` role. */
  readonly clusterApi: readonly string[];
  readonly provider: readonly string[];
  /** Empty: every version, its sums are fetched. */
  readonly kubernetes: readonly string[];
}

/** `ansible_collection_kubernetes_target_venv` is in this branch alone; the seed names the branch, this is its commit. */
const kubernetesVenv: OsaCollection = {
  name: 'vexxhost.kubernetes',
  source: 'https://github.com/jrosser/ansible-collection-kubernetes',
  version: '0f058db4a27d1be14d05aefe2536c9c32d7eb7d5',
};

const containers: OsaCollection = {
  name: 'vexxhost.containers',
  source: 'https://github.com/vexxhost/ansible-collection-containers',
  version: 'v1.6.7',
};

/** The collection above depends on it, and so does the one that 2026.1 lists; it runs with ansible-core 2.16 and later. */
const kubernetesCore: OsaCollection = {
  name: 'kubernetes.core',
  source: 'https://github.com/ansible-collections/kubernetes.core',
  version: '6.4.0',
};

const mcapi = (version: string): OsaCollection => ({
  name: 'osa_ops.mcapi_vexxhost',
  source: 'https://opendev.org/openstack/openstack-ansible-ops#/mcapi_vexxhost',
  version,
});

/** Names before they were moved into the role; that one installs `main` whatever the version of Magnum's driver is. */
const oldProxy: ProxyVariables = {
  hosts: 'magnum_cluster_api_proxy_hosts',
  environment: 'magnum_cluster_api_proxy_environment',
  version: 'mcapi_vexxhost_proxy_install_branch',
  source: 'mcapi_vexxhost_proxy_git_repo',
  constraints: 'mcapi_vexxhost_proxy_upper_constraints_url',
};

const opsProxy: ProxyVariables = {
  hosts: 'mcapi_vexxhost_proxy_hosts',
  environment: 'mcapi_vexxhost_proxy_environment',
  version: 'magnum_magnum_cluster_api_git_install_branch',
  source: 'magnum_magnum_cluster_api_git_repo',
  constraints: 'mcapi_vexxhost_proxy_upper_constraints_url',
};

const ops = (major: number, commit: string, proxy = opsProxy): OsaRelease => ({
  layout: 'ops',
  major,
  proxy,
  collections: [kubernetesVenv, containers, mcapi(commit), kubernetesCore],
  fromGalaxy: [],
  versions: {
    ...{ driver: 'v0.24.2', charts: '', addonProvider: '' },
    clusterctl: '1.8.4',
    clusterApi: '1.8.4',
    provider: '0.11.2',
    kubernetes: '1.28.13',
  },
  carries: {
    clusterctl: ['1.3.2', '1.3.3', '1.4.4', '1.5.1', '1.6.0'],
    clusterApi: ['1.3.2', '1.4.4', '1.5.1', '1.6.0', '1.8.4'],
    provider: ['0.7.0', '0.7.1', '0.8.0', '0.9.0', '0.10.5', '0.11.2'],
    kubernetes: [
      ...['1.19.16', '1.20.15', '1.21.14', '1.22.17', '1.23.17', '1.24.12', '1.24.17', '1.25.8', '1.25.16'],
      ...['1.26.3', '1.26.11', '1.26.15', '1.27.8', '1.27.16', '1.28.4', '1.28.13'],
    ],
  },
  driverBelow: '0.25.0',
  driverBecause:
    'from v0.25.0 on the driver is built with Rust, which the playbooks of this release do not install',
});

/** By release, the oldest first. 2024.1 keeps these variables in other files; `master` is not a release. */
export const releases: Readonly<Record<string, OsaRelease>> = {
  '2024.2': ops(30, 'a3063fbbf5fd26c4eb0bae4e4bb3f2c3848b45f7', oldProxy),
  '2025.1': ops(31, 'e254606d3935b9acf2199a7c99c2081d9f85fd16'),
  '2025.2': ops(32, 'e254606d3935b9acf2199a7c99c2081d9f85fd16'),
  '2026.1': {
    layout: 'integrated',
    major: 33,
    collections: [],
    fromGalaxy: [kubernetesCore],
    proxy: {
      hosts: 'magnum_capi_vexxhost_proxy_hosts',
      environment: 'magnum_capi_vexxhost_proxy_environment',
      version: 'magnum_capi_vexxhost_git_install_branch',
      source: 'magnum_capi_vexxhost_git_repo',
      constraints: 'magnum_capi_vexxhost_proxy_upper_constraints_url',
    },
    versions: {
      ...{ driver: 'v0.36.6', charts: '', addonProvider: '' },
      clusterctl: '1.13.2',
      clusterApi: '1.13.2',
      provider: '0.14.4',
      kubernetes: '1.36.1',
    },
    carries: {
      clusterctl: ['1.8.4', '1.9.6', '1.10.10', '1.11.6', '1.12.3', '1.13.2'],
      clusterApi: ['1.9.6', '1.10.10', '1.11.6', '1.12.3', '1.13.2'],
      provider: ['0.11.2', '0.12.2', '0.13.4', '0.14.1', '0.14.4'],
      kubernetes: [],
    },
    driverBelow: '0.38.0',
    driverBecause: 'from v0.38.0 on the driver wants Rust 1.95, and the role of this release installs 1.91',
    // The role takes the branch `master` of the driver; this is the newest tag.
    azimuth: { driver: '1.4.0', charts: '0.22.0', addonProvider: '0.10.4' },
  },
};

/** SHA-256 sums of `clusterctl` that a pinned collection lacks although it has the manifests of that version. */
export const missingSums: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '1.8.4': {
    amd64: 'a7f40cde4e4a4f7119a52713386238ebcfa8691e7683b5afb823439ea81a8729',
    arm64: '8fbaa26320fcdd11aa40e1e2ae4889f9743c33744e1d191eec2afca54d34bdbc',
  },
};

/** A number below, at or above zero; both like `1.8.4`, with or without a `v`. */
export function compareReleases(one: string, other: string): number {
  const parts = (text: string): number[] => text.replace(/^v/, '').split('.').map(Number);
  const [left, right] = [parts(one), parts(other)];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

/**
 * What OpenStack-Ansible recommends for one machine that is all of the cloud and runs workload clusters, in GB: memory, and
 * the disk of `/var/lib/nova/instances`. Read in the README of
 * `mcapi_vexxhost` of openstack-ansible-ops, November 2026.
 */
export const allInOne = { memory: 64, disk: 500 };
