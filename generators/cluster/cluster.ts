import type { Cnfs } from './cnf.ts';
import type { Containerd } from './containerd.ts';
import type { Drills } from './drills.ts';
import type { ExtraPlaybook } from './extra-playbooks.ts';
import type { Endpoint, Network, Proxy } from './endpoint.ts';
import type { ExternalLoadBalancer } from './external-load-balancer.ts';
import type { Fleet } from './fleet.ts';
import type { Kubernetes, Offline, PodNetwork } from './kubernetes.ts';
import type { Kubespray } from './kubespray.ts';
import type { Machine } from './machines.ts';
import type { OpenStackAnsibleMagnum } from './openstack-ansible.ts';
import type { Receiver } from './messages.ts';
import type { Patch } from './patch.ts';
import type { Schedule } from './schedule.ts';
import type { AnsibleServer, SecretUse } from './server.ts';
import type { Storage } from './storage.ts';

export type * from './backup.ts';
export type * from './cnf.ts';
export type * from './containerd.ts';
export type * from './drills.ts';
export type * from './endpoint.ts';
export type * from './external-load-balancer.ts';
export type * from './fleet.ts';
export type * from './kubernetes.ts';
export type * from './kubespray.ts';
export type * from './machines.ts';
export type * from './messages.ts';
export type * from './openstack-ansible.ts';
export type * from './patch.ts';
export type * from './schedule.ts';
export type * from './server.ts';
export type * from './storage.ts';

/**
 * The cluster: a definition resolved. Total, plain and readonly: every default is filled, every derived value is
 * computed, there is no optional field, and an empty text or list says "none". Templates are told nothing else.
 */
export interface Cluster {
  /** DNS label; also the folder under `playbooks/` and the name of the lock. */
  readonly name: string;
  /** Tells it from other clusters of its name; may be absent, so that nothing about other clusters changes. */
  readonly uid?: string;
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
  /** Absent where it lists none, for the same reason. */
  readonly extraPlaybooks?: readonly ExtraPlaybook[];
  /** Packages of the operating system; absent where the definition lists none, for the same reason. */
  readonly patch?: Patch;
  /** Who is told how runs end; absent where nobody is, for the same reason. */
  readonly messages?: readonly Receiver[];
  /** Absent where nothing runs at set times, for the same reason. */
  readonly schedule?: Schedule;
}
