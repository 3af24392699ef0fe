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
  /** The DNS name that stands for the address; absent: there is none, and the address itself is asked. */
  readonly dnsName?: string;
  readonly family: 4 | 6;
  readonly port: number;
  /** `stacked`: on the control planes; `dedicated`: on own hosts; `external`: not ours; `none`: the one API server itself. */
  readonly placement: 'stacked' | 'dedicated' | 'external' | 'local' | 'none';
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
  /** The port at which etcd is balanced as well, its mutual TLS passed through; 0: it is not. */
  readonly etcdPort: number;
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
  /** Present where it wants a user and a password: the variables that hold them. */
  readonly credentials?: { readonly userVariable: string; readonly passwordVariable: string };
}
