/** Workload clusters that Magnum makes: total, plain, every default filled. Empty lists: none. */
export interface OsaWorkload {
  /** Where `openstack` is run: in the utility container that OpenStack-Ansible made, or on the deploy host itself. */
  readonly client: 'utility' | 'deploy-host';
  /** The entry of `clouds.yaml` there. */
  readonly cloud: string;
  readonly flavors: readonly OsaFlavor[];
  readonly images: readonly OsaImage[];
  readonly templates: readonly OsaTemplate[];
  readonly clusters: readonly OsaWorkloadCluster[];
}

/** Made in Nova where it lacks. */
export interface OsaFlavor {
  readonly name: string;
  readonly cpus: number;
  /** MiB. */
  readonly memory: number;
  /** GB; 0: nodes need a volume to boot from. */
  readonly disk: number;
  readonly isPublic: boolean;
}

export interface OsaImage {
  /** In Glance. */
  readonly name: string;
  /** Like `v1.31.1`: what is in the image, and what Magnum is told. */
  readonly kubernetes: string;
  /** A URL, or the absolute path of a file on the deploy host. */
  readonly source: string;
  /** SHA-256 of the file; empty: not known. */
  readonly sha256: string;
  readonly distribution: string;
  readonly visibility: 'public' | 'private';
}

export interface OsaTemplate {
  readonly name: string;
  /** The name in Magnum: that of the definition, and a digest of what it says, since templates in use never change. */
  readonly title: string;
  readonly image: string;
  readonly kubernetes: string;
  readonly externalNetwork: string;
  readonly networkDriver: 'calico' | 'cilium';
  readonly controlPlaneFlavor: string;
  readonly flavor: string;
  /** Empty: Magnum's own. */
  readonly dnsServer: string;
  /** GB; 0: none. */
  readonly dockerVolume: number;
  readonly isPublic: boolean;
  readonly labels: Readonly<Record<string, string>>;
}

export interface OsaWorkloadCluster {
  readonly name: string;
  readonly template: string;
  /** Empty: none. */
  readonly keypair: string;
  readonly controlPlanes: number;
  readonly workers: number;
  readonly floatingAddress: boolean;
  /** Names or ids of a network and a subnet that are there; empty: Cluster API makes them. */
  readonly network: string;
  readonly subnet: string;
  /** Only what the template does not say. */
  readonly labels: Readonly<Record<string, string>>;
  /** How long a change may take before it counts as stuck. */
  readonly minutes: number;
  readonly nodeGroups: readonly OsaNodeGroup[];
}

/** Workers beside those that every cluster has. */
export interface OsaNodeGroup {
  readonly name: string;
  readonly flavor: string;
  readonly workers: number;
  /** Beside those of the cluster. */
  readonly labels: Readonly<Record<string, string>>;
}
