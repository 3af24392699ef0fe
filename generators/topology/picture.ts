/** A cluster as a picture: boxes in columns from left to right, and who speaks to whom. */
export interface Topology {
  readonly boxes: readonly Box[];
  /** Each leads from one box to another, or from a box to itself. */
  readonly flows: readonly Flow[];
}

export interface Box {
  readonly id: BoxId;
  readonly title: string;
  /** One line below the title, or empty. */
  readonly detail: string;
  /** 0: the leftmost. */
  readonly column: number;
  readonly hosts: readonly BoxHost[];
}

export interface BoxHost {
  readonly name: string;
  readonly address: string;
  /** Whose turn it is to hold the virtual address while all are well: 1 is the holder; 0: it never does. */
  readonly turn: number;
  /** What it is besides what its box says: other roles, what it exports. */
  readonly marks: readonly string[];
}

/** In the order in which boxes are drawn, from top to bottom in their columns. */
export type BoxId =
  | 'clients'
  | 'ansible-server'
  | 'external-load-balancer'
  | 'endpoint'
  | 'load-balancer'
  | 'control-plane'
  | 'etcd'
  | 'worker'
  | 'storage'
  | 'machine'
  | 'mesh-control'
  | 'mesh-hop'
  | 'mesh-execution'
  | 'cluster';

/** Who opens connections to whom, and at which port. */
export interface Flow {
  readonly from: BoxId;
  readonly to: BoxId;
  /** As `6443/tcp`; `vrrp` is IP protocol 112. */
  readonly port: string;
  readonly what: string;
}
