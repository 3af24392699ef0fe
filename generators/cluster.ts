import type { Cnfs } from './cluster/cnf.ts';
import type { Containerd } from './cluster/containerd.ts';
import type { Drills } from './cluster/drills.ts';
import type { Endpoint, Network, Proxy } from './cluster/endpoint.ts';
import type { ExternalLoadBalancer } from './cluster/external-load-balancer.ts';
import type { Fleet } from './cluster/fleet.ts';
import type { Kubernetes, Offline, PodNetwork } from './cluster/kubernetes.ts';
import type { Kubespray } from './cluster/kubespray.ts';
import type { Machine } from './cluster/machines.ts';
import type { OpenStackAnsibleMagnum } from './cluster/osa.ts';
import type { AnsibleServer, SecretUse } from './cluster/server.ts';
import type { Storage } from './cluster/storage.ts';

export type * from './cluster/cnf.ts';
export type * from './cluster/containerd.ts';
export type * from './cluster/drills.ts';
export type * from './cluster/endpoint.ts';
export type * from './cluster/external-load-balancer.ts';
export type * from './cluster/fleet.ts';
export type * from './cluster/kubernetes.ts';
export type * from './cluster/kubespray.ts';
export type * from './cluster/machines.ts';
export type * from './cluster/osa.ts';
export type * from './cluster/server.ts';
export type * from './cluster/storage.ts';

/**
 * The cluster: a definition resolved. Total, plain and readonly: every default is filled, every derived value is
 * computed, there is no optional field, and an empty text or list says "none". Templates are told nothing else.
 */
export interface Cluster {
  /** DNS label; also the folder under `playbooks/` and the name of the lock. */
  readonly name: string;
  /** `optional`, `required` or `pushed:<remote>/<branch>`. */
  readonly review: string;
  readonly ansibleServer: AnsibleServer;
  readonly kubernetes: Kubernetes;
  readonly kubespray: Kubespray;
  readonly containerd: Containerd;
  readonly podNetwork: PodNetwork;
  readonly offline: Offline;
  readonly network: Network;
  readonly endpoint: Endpoint;
  /** Nodes in the order of the definition, then the other hosts in theirs. */
  readonly machines: readonly Machine[];
  readonly storage: Storage;
  readonly externalLoadBalancer: ExternalLoadBalancer;
  readonly cnfs: Cnfs;
  readonly proxy: Proxy;
  /** Every secret that a playbook of this cluster reads, sorted by variable. */
  readonly secrets: readonly SecretUse[];
  /**
   * Only of a definition of kind OpenStackAnsibleMagnum, whose other parts then say "none". It may be
   * absent, so that nothing about clusters changes: neither digests nor what servers keep as applied.
   */
  readonly osa?: OpenStackAnsibleMagnum;
  /** Only of a definition of kind Fleet; absent for the same reason. */
  readonly fleet?: Fleet;
  /** Only where the definition says something of drills; absent for the same reason, `drillsOf` says what holds. */
  readonly drills?: Drills;
}
