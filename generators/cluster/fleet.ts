import type { Label } from './machines.ts';

/** A fleet: a mesh of Receptor nodes, and the clusters that are run over it. Total, plain, every default filled. */
export interface Fleet {
  /** Name of the control node, which is the Ansible server itself. */
  readonly control: string;
  /** The control node, then hops, then execution nodes, each in the order of the definition. */
  readonly nodes: readonly FleetNode[];
  readonly certificates: FleetCertificates;
  /** In the order of the definition. */
  readonly clusters: readonly FleetCluster[];
}

export type FleetRole = 'control' | 'hop' | 'execution';

export interface FleetNode {
  readonly name: string;
  readonly role: FleetRole;
  /** Empty where the node is no execution node. */
  readonly site: string;
  readonly address: string;
  /** Whose processes Receptor and its work are: who logs in there over SSH. */
  readonly user: string;
  /** Where other nodes reach it; 0: none does. */
  readonly port: number;
  /** Nodes that it opens connections to; `target` is `address:port`. */
  readonly peers: readonly { readonly name: string; readonly target: string }[];
  /** The fingerprint of the key that secrets for it are sealed to; empty: not pinned. */
  readonly sealingKey: string;
  /** Nodes that open connections to it, in the order of the definition. */
  readonly dialledBy: readonly string[];
}

export type FleetCertificates =
  /** Made on the control node by Receptor's own authority; private keys of nodes never leave them. */
  | { readonly kind: 'receptor'; readonly authority: number }
  /** Brought by the operator, in a folder of the Ansible server. */
  | { readonly kind: 'given'; readonly directory: string };

export interface FleetCluster {
  /** That of the cluster's own definition. */
  readonly name: string;
  /** Path of its definition, relative to the folder of the fleet's. */
  readonly definition: string;
  readonly site: string;
  /** The one execution node that runs it: its lock, bundles and records lie there. */
  readonly node: string;
  /** Sorted by key. */
  readonly labels: readonly Label[];
}
