import type { Settings } from './kubernetes.ts';

export type Role =
  | 'control-plane'
  | 'etcd'
  | 'worker'
  | 'load-balancer'
  | 'external-load-balancer'
  | 'storage';

/** A host that Ansible reaches: a node of the cluster, or a load balancer or storage server beside it. */
export interface Machine {
  readonly name: string;
  readonly roles: readonly Role[];
  /** On the cluster's network, in canonical form. */
  readonly address: string;
  readonly family: 4 | 6;
  /** Of the other family, in canonical form; empty unless the cluster is a dual-stack one. */
  readonly secondaryAddress: string;
  readonly ssh: MachineSsh;
  /** Labels of the Kubernetes node, zone and compute host among them, sorted by key; empty for other hosts. */
  readonly labels: readonly Label[];
  readonly taints: readonly Taint[];
  /** Fields of KubeletConfiguration of this worker alone; absent where it has none, so that nothing about others changes. */
  readonly kubelet?: Settings;
}

export interface Label {
  readonly key: string;
  readonly value: string;
}

export interface Taint extends Label {
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
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
