import type { Backup } from './backup.ts';

/** What kubeadm is told; with another installer texts are empty, lists have no entry and numbers are the defaults. */
export interface Kubernetes {
  /** `none`: somebody else installs Kubernetes, Playsmith builds what stands around it. */
  readonly installer: 'none' | 'kubeadm' | 'kubespray';
  /** Like `1.37.2`, or empty with `none`. */
  readonly version: string;
  /** Where kubelet, kubeadm and kubectl come from. `artifacts` exactly when the cluster is installed offline. */
  readonly packages: 'repository' | 'artifacts';
  /** URL below which `v1.37/deb/` and `v1.37/rpm/` lie, without a slash at its end; empty with `artifacts`. */
  readonly repository: string;
  /** Fingerprint of the only key whose signature apt takes there, 40 digits; empty with `artifacts`. */
  readonly repositoryKey: string;
  /** Present where kubeadm calls the cluster otherwise than the definition does. */
  readonly clusterName?: string;
  /** Registry and path that kubeadm pulls its images from, or empty: its default. */
  readonly imageRepository: string;
  /** Every name and address that the API servers' certificates hold, besides what kubeadm always adds; sorted. */
  readonly certificateSans: readonly string[];
  readonly extraArguments: Readonly<
    Record<'apiServer' | 'controllerManager' | 'scheduler' | 'etcd', readonly Argument[]>
  >;
  /** Present where a controller of the user's cloud initialises nodes. */
  readonly externalCloudProvider?: ExternalCloudProvider;
  /** Present where kubelets serve with certificates of the cluster, which the playbooks approve; else with their own. */
  readonly serverTLSBootstrap?: true;
  /** Fields of KubeletConfiguration and KubeProxyConfiguration that are set beside ours; plain JSON data. */
  readonly kubelet: Settings;
  readonly kubeProxy: Settings;
  readonly audit: Audit;
  readonly encryption: Encryption;
  readonly backup: Backup;
  readonly upgrade: {
    /** How many workers are upgraded side by side. */
    readonly workersAtOnce: number;
  };
  readonly preflight: {
    /** How many megabytes must be free below /var of a host before it becomes a node. */
    readonly freeMegabytes: number;
  };
}

export interface ExternalCloudProvider {
  /** What the manifests of the controller hold; empty: somebody else brings it. */
  readonly objects: readonly Settings[];
  /** Variable that holds the text of its cloud.conf, or empty. */
  readonly configVariable: string;
}

/** A command line argument without its dashes. */
export interface Argument {
  readonly name: string;
  readonly value: string;
}

/** Plain JSON data. */
export type Setting = string | number | boolean | readonly Setting[] | { readonly [key: string]: Setting };

export type Settings = Readonly<Record<string, Setting>>;

export interface Audit {
  /** The rules of an `audit.k8s.io/v1` Policy; none: no audit log. */
  readonly rules: readonly Settings[];
  readonly keepDays: number;
  readonly keepFiles: number;
  readonly megabytes: number;
}

/** Secrets in etcd are encrypted when `keyVariable` is not empty. */
export interface Encryption {
  readonly provider: 'secretbox' | 'aescbc';
  /** Variable that holds 32 bytes as base64. */
  readonly keyVariable: string;
}

/** The network of the pods. `none`: somebody else brings a plugin. */
export interface PodNetwork {
  readonly plugin: 'none' | 'static-routes' | 'flannel' | 'calico' | 'cilium';
  /** Empty with `none` and `static-routes`. */
  readonly version: string;
  /** URL of the manifest (calico) or the chart (cilium), empty where it comes from the artifacts or there is none. */
  readonly url: string;
  /** SHA-256, hex, of what `url` gives. */
  readonly sha256: string;
  /** The manifest of calico or cilium; only where it is in the bundle, and hosts fetch nothing that it comes from. */
  readonly manifest?: string;
  /** The helm that turns the chart of cilium into a manifest, on the first control plane; else empty. */
  readonly helmUrl: string;
  readonly helmSha256: string;
  /** With `cilium`: further values of its chart; else empty. */
  readonly values: Settings;
  /** With `flannel`, whose manifest is rendered; else empty texts. */
  readonly flannel: {
    /** How packets get to another node: in UDP, or by routes within one network. */
    readonly backend: 'vxlan' | 'host-gw' | '';
    /** References of flanneld, and of the image that holds its CNI plugin. */
    readonly image: string;
    readonly pluginImage: string;
  };
  /** With `calico`: how packets of pods travel between nodes; else empty. */
  readonly encapsulation: 'ipip' | 'vxlan' | 'none' | '';
  /** The largest packet of the pods, in bytes; 0: the plugin finds out. */
  readonly mtu: number;
}

/** Installation without any other network. Empty texts: online. */
export interface Offline {
  /** Folder on the Ansible server that `npx task artifacts` made. */
  readonly artifacts: string;
  /** SHA-256, hex, of its SHA256SUMS: what was reviewed. */
  readonly sha256: string;
}
