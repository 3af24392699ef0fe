/**
 * The cluster: a definition resolved. Total, plain and readonly: every default is filled, every derived value is
 * computed, there is no optional field, and an empty text or list says "none". Templates are told nothing else.
 */
export interface Cluster {
  /** DNS label; also the folder under `playbooks/` and the name of the lock. */
  readonly name: string;
  readonly review: 'required' | 'optional';
  readonly ansibleServer: AnsibleServer;
  readonly kubernetes: Kubernetes;
  readonly network: Network;
  readonly endpoint: Endpoint;
  /** Nodes in the order of the definition, then the other hosts in theirs. */
  readonly machines: readonly Machine[];
  readonly proxy: Proxy;
  /** Every secret that a playbook of this cluster reads, sorted by variable. */
  readonly secrets: readonly SecretUse[];
}

export interface Kubernetes {
  /** `none`: somebody else installs Kubernetes, Playsmith builds what stands around it. */
  readonly installer: 'none' | 'kubeadm';
  /** Like `1.34.1`, or empty with `none`. */
  readonly version: string;
}

export type Role = 'control-plane' | 'etcd' | 'worker' | 'load-balancer';

/** A host that Ansible reaches: a node of the cluster, or a load balancer beside it. */
export interface Machine {
  readonly name: string;
  readonly roles: readonly Role[];
  /** On the cluster's network, in canonical form. */
  readonly address: string;
  readonly family: 4 | 6;
  readonly ssh: MachineSsh;
}

/** How the Ansible server reaches a machine. */
export interface MachineSsh {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Path on the Ansible server, or empty. */
  readonly privateKey: string;
  /** Variable that holds the login password, or empty. */
  readonly passwordVariable: string;
  /** Variable that holds the sudo password, or empty. */
  readonly becomePasswordVariable: string;
  /** `ssh-ed25519 AAAA…`, without a comment. */
  readonly hostKeys: readonly string[];
  /** `user@host:port` of a jump host as OpenSSH writes it, or empty. */
  readonly proxyJump: string;
}

export interface Network {
  /** CIDRs; the first is the one that the endpoint and the nodes live in. */
  readonly nodeSubnets: readonly string[];
  readonly podSubnets: readonly string[];
  readonly serviceSubnets: readonly string[];
  /** The port each API server listens on. */
  readonly apiServerPort: number;
}

/** The one address that clients of the Kubernetes API use. */
export interface Endpoint {
  readonly address: string;
  readonly prefix: number;
  readonly family: 4 | 6;
  readonly port: number;
  /** `stacked`: on the control planes; `dedicated`: on own hosts; `external`: not ours; `none`: the one API server itself. */
  readonly placement: 'stacked' | 'dedicated' | 'external' | 'none';
  /** The machines that may hold the address, most preferred first; empty for `external` and `none`. */
  readonly balancers: readonly Balancer[];
  readonly haproxy: HaproxySettings;
  readonly keepalived: KeepalivedSettings;
}

export interface Balancer {
  readonly name: string;
  readonly address: string;
  /** VRRP priority, 1 to 254; the same for this machine whatever machines stand beside it. */
  readonly priority: number;
}

export interface HaproxySettings {
  readonly healthCheck: 'https' | 'tcp';
  /** `all-active`: requests go to every API server; `first-active`: to the first that lives, the others are backups. */
  readonly balance: 'all-active' | 'first-active';
  readonly check: { readonly intervalMilliseconds: number; readonly fall: number; readonly rise: number };
  readonly servers: readonly { readonly name: string; readonly address: string; readonly backup: boolean }[];
  /** Port 0: no statistics page. */
  readonly stats: { readonly port: number; readonly user: string; readonly passwordVariable: string };
}

export interface KeepalivedSettings {
  /** Interface name, or empty: the one that holds the machine's address. */
  readonly interface: string;
  /** 1 to 255. */
  readonly virtualRouterId: number;
  readonly version: 2 | 3;
  readonly transport: 'unicast' | 'multicast';
  /** `preempt`: the most preferred machine takes the address back; `nopreempt`: whoever holds it keeps it. */
  readonly election: 'preempt' | 'nopreempt';
  /** Seconds, whole for version 2. */
  readonly advertisementInterval: number;
  readonly check: { readonly intervalSeconds: number; readonly fall: number; readonly rise: number };
  /** Variable that holds the VRRP version 2 password, or empty. */
  readonly passwordVariable: string;
}

export interface Proxy {
  /** URLs, or empty. */
  readonly http: string;
  readonly https: string;
  /** Host names, addresses and CIDRs, never expanded; the cluster's own networks and endpoint are added. */
  readonly noProxy: readonly string[];
}

/**
 * Where a secret comes from. The value never enters a cluster, a bundle or a record. Paths are absolute, `~/…`, or
 * relative to the folder of the definition.
 */
export type SecretReference =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  /** A key of an Ansible Vault file that the user keeps in git; `password` opens it. */
  | {
      readonly kind: 'vault';
      readonly path: string;
      readonly key: string;
      readonly password: SecretReference;
    };

export interface SecretUse {
  /** `vault_…`, the only thing about it that a playbook knows. */
  readonly variable: string;
  /** Where in the definition it is asked for, like `controlPlaneEndpoint.loadBalancer.haproxy.stats.password`. */
  readonly path: string;
  readonly reference: SecretReference;
}

export type AnsibleServer =
  | { readonly kind: 'local'; readonly directory: string; readonly ansible: AnsibleInstallation }
  | {
      readonly kind: 'ssh';
      /** A name of the user's `~/.ssh/config` works here too. */
      readonly host: string;
      /** 0 and empty texts below: whatever `~/.ssh/config` says, else OpenSSH's defaults. */
      readonly port: number;
      readonly user: string;
      readonly auth: ServerAuth;
      /** `SHA256:…` or `ssh-ed25519 AAAA…`; empty: the user's known_hosts decides. */
      readonly hostKey: string;
      readonly proxyJump: string;
      /** Holds bundles, runs, locks and records: absolute, or `~/…` in the home of who logs in there. */
      readonly directory: string;
      /** What sudo asks for there; only bootstrap needs it. */
      readonly becomePassword: SecretReference | null;
      readonly ansible: AnsibleInstallation;
    };

/** How `npx task bootstrap` installs Ansible on the Ansible server. */
export type AnsibleInstallation =
  | { readonly kind: 'packages' }
  | { readonly kind: 'venv'; readonly ansibleCore: string; readonly ansibleRunner: string };

export type ServerAuth =
  /** Agent first, then the keys that `~/.ssh/config` or OpenSSH's defaults name. */
  | { readonly kind: 'default' }
  | { readonly kind: 'agent' }
  | { readonly kind: 'privateKey'; readonly path: string; readonly passphrase: SecretReference | null }
  | { readonly kind: 'password'; readonly password: SecretReference };
