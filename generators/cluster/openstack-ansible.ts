import type { OsaWorkload } from './openstack-ansible-workload.ts';

export type * from './openstack-ansible-workload.ts';

/** Where OpenStack-Ansible keeps what belongs to Magnum's Cluster API driver; it differs by release. */
export type OsaLayout = 'ops' | 'integrated';

/** Magnum's Cluster API drivers, by OpenStack-Ansible's names of them: magnum-cluster-api, and magnum-capi-helm. */
export type OsaDriver = 'vexxhost' | 'azimuth';

/** What the `Cluster API` driver of Magnum needs of one OpenStack-Ansible deployment: total, plain, every default filled. */
export interface OpenStackAnsibleMagnum {
  /** Like `2025.2`. */
  readonly release: string;
  readonly layout: OsaLayout;
  /** On the deploy host: `/etc/openstack_deploy`. */
  readonly configurationDirectory: string;
  /** On the deploy host: `/opt/openstack-ansible`. */
  readonly checkout: string;
  /** True: the playbooks of OpenStack-Ansible's own set-up call ours at the right moments. */
  readonly hooks: boolean;
  readonly controlPlane: OsaControlPlane;
  /** Hosts that our own `conf.d` names; empty: somebody else's files name them. */
  readonly magnumHosts: readonly OsaHost[];
  readonly octaviaHosts: readonly OsaHost[];
  readonly driver: OsaDriver;
  readonly versions: OsaVersions;
  /** Git URL of the driver. */
  readonly driverSource: string;
  readonly collections: readonly OsaCollection[];
  /** SHA-256 of `clusterctl` by architecture, where the pinned collection lacks it; empty: it has it. */
  readonly clusterctlChecksums: readonly { readonly architecture: string; readonly sha256: string }[];
  readonly tls: OsaTls;
  readonly certManager: 'barbican' | 'x509keypair' | 'local';
  readonly networkDrivers: readonly ('calico' | 'cilium')[];
  /** Section → option → value of `magnum.conf`, beside ours. */
  readonly magnumConfiguration: OsaSettings;
  /** Keys of the haproxy service, beside ours. */
  readonly haproxyService: Readonly<Record<string, OsaSetting>>;
  readonly proxy: OsaProxy;
  readonly functionalTest: OsaFunctionalTest;
  readonly workload: OsaWorkload;
  readonly offline: OsaOffline;
}

export type OsaSetting = string | number | boolean | readonly string[];
export type OsaSettings = Readonly<Record<string, Readonly<Record<string, OsaSetting>>>>;

export interface OsaHost {
  readonly name: string;
  /** On the management network. */
  readonly address: string;
  /** How many containers of the control plane; 1 unless it is a single host that plays several. */
  readonly containers: number;
}

export interface OsaControlPlane {
  readonly hosts: readonly OsaHost[];
  /** `metal`: on the hosts themselves. */
  readonly placement: 'containers' | 'metal';
  readonly system: 'debian' | 'redhat';
  /** Addresses of its pods, CIDR. */
  readonly podSubnet: string;
  /** What nodes and clients reach its API by; empty: OpenStack-Ansible's `internal_lb_vip_address`. */
  readonly bindAddress: string;
  readonly backups: boolean;
}

export interface OsaVersions {
  /** A tag of the driver, like `v0.24.2`. */
  readonly driver: string;
  /** Of capi-helm-charts, with which azimuth's driver makes clusters; empty: the driver has none. */
  readonly charts: string;
  /** Of cluster-api-addon-provider, which installs what these charts add to a cluster; empty likewise. */
  readonly addonProvider: string;
  readonly clusterctl: string;
  readonly clusterApi: string;
  /** Cluster API's provider for OpenStack. */
  readonly provider: string;
  readonly kubernetes: string;
}

/** A collection at one commit or tag. */
export interface OsaCollection {
  readonly name: string;
  readonly source: string;
  readonly version: string;
}

/** Files on the hosts of Magnum; empty: the driver trusts what it trusts by default. */
export interface OsaTls {
  readonly endpointType: 'internalURL' | 'publicURL';
  /** What Cluster API's provider trusts. */
  readonly controlFile: string;
  /** What nodes of workload clusters trust, and nothing else; empty: what their image trusts. */
  readonly workloadFile: string;
  /** What follows from the choice, one sentence each. */
  readonly consequences: readonly string[];
}

export interface OsaProxy {
  /** Group of the inventory; empty: no proxy. */
  readonly hosts: string;
  readonly port: number;
}

export interface OsaFunctionalTest {
  /** Like `v1.28.13`; empty: what OpenStack-Ansible's test says. */
  readonly kubernetesVersion: string;
  /** URL of the image for it; empty: likewise. */
  readonly imageUrl: string;
  /** Network and flavor that are there; both empty: the test makes its own, as an all-in-one wants them. */
  readonly externalNetwork: string;
  readonly flavor: string;
  readonly masters: number;
  readonly workers: number;
}

/** Mirrors in place of publishers; empty texts: there are none. */
export interface OsaOffline {
  /** A registry with a path in it, without a scheme. */
  readonly registry: string;
  /** URL of the web server, and its folder on the deploy host. */
  readonly files: string;
  readonly directory: string;
  /** A sparse index, with which drivers in Rust are built. */
  readonly crates: OsaIndex;
  /** What pip of hosts is told to look into. */
  readonly python: OsaIndex;
  /** What apt of hosts is told to look into. */
  readonly packages: OsaIndex;
  readonly repositories: readonly OsaRepository[];
}

/** Packages of one kind, as a web server offers them. */
export interface OsaIndex {
  /** Without its last slash; empty: the definition says none. */
  readonly url: string;
  /** Its folder on the deploy host, which `osa-mirror` fills; empty: somebody else does. */
  readonly folder: string;
}

export interface OsaRepository {
  /** Where it is published, and where it is taken from. */
  readonly source: string;
  readonly target: string;
  /** Where it is copied to: a directory of the deploy host or a URL; empty: it is only looked for. */
  readonly push: string;
  /** Commits, tags or branches that the rendered files name. */
  readonly pins: readonly string[];
}
