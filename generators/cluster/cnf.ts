import type { Settings } from './kubernetes.ts';

/** Workloads in namespaces of the cluster, each a CNF of a tenant. */
export interface Cnfs {
  /** True when the definition has the key, if only with an empty list: there are playbooks for them. */
  readonly kept: boolean;
  /** In the order of the definition. */
  readonly all: readonly Cnf[];
}

export interface Cnf {
  readonly name: string;
  readonly namespace: string;
  /** Who said it; `default`: nobody. */
  readonly namespaceFrom: 'definition' | 'manifests' | 'default';
  /** What the definition's namespace changes: `Service web (manifests/web.yaml:1:1) says tenant-b`. */
  readonly moved: readonly string[];
  /** What the user gave, as it is; `path` is below `given/`. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** What the administrator of the cluster applies: namespace, ServiceAccount, Role, quota, limits, network policies. */
  readonly frame: readonly Settings[];
  /** What the tenant's own ServiceAccount applies, in this order; plain JSON data with namespace and label filled in. */
  readonly objects: readonly Settings[];
  readonly serviceAccount: string;
  readonly scaling: readonly ScalingAspect[];
  readonly wait: {
    readonly seconds: number;
    /** Besides that every workload is ready. */
    readonly conditions: readonly {
      readonly kind: string;
      readonly name: string;
      readonly condition: string;
    }[];
  };
  /** True: an update that does not become ready goes back to the revision before. */
  readonly rollback: boolean;
}

/** Workloads that are scaled together, as ETSI calls it: `minimum` replicas are its level 0, each level has `step` more. */
export interface ScalingAspect {
  readonly aspect: string;
  readonly kind: 'Deployment' | 'StatefulSet' | 'ReplicaSet';
  readonly name: string;
  readonly step: number;
  readonly minimum: number;
  readonly maximum: number;
}
