import type { Balancer, KeepalivedSettings } from './endpoint.ts';

/** Machines outside the cluster through which clients reach Services, and the API. */
export interface ExternalLoadBalancer {
  /** The machines that may hold the address, most preferred first; none: there is no external load balancer. */
  readonly balancers: readonly Balancer[];
  /** The virtual address, or empty: clients use those of the machines. */
  readonly address: string;
  readonly prefix: number;
  readonly family: 4 | 6;
  /** Where clients reach the Kubernetes API; 0: not here. */
  readonly apiPort: number;
  /** Sorted by port. */
  readonly services: readonly BalancedService[];
  readonly check: { readonly intervalMilliseconds: number; readonly fall: number; readonly rise: number };
  /** Where a node says that it takes traffic for Services. */
  readonly healthPort: number;
  /** How long connections to a node that is taken out may last. */
  readonly drainSeconds: number;
  readonly keepalived: KeepalivedSettings;
  readonly script: BalancerScript;
}

export interface BalancedService {
  readonly namespace: string;
  readonly name: string;
  /** The port of the Service itself. */
  readonly servicePort: number;
  /** The port at the load balancer. */
  readonly port: number;
  /** 0: looked up in the cluster. */
  readonly nodePort: number;
  readonly backends: 'workers' | 'control-planes';
  readonly externalTrafficPolicy: 'Cluster' | 'Local';
  /** With `Local`: where a node says whether it has a pod of the Service; 0: nowhere, so `nodePort` itself is tried. */
  readonly healthCheckNodePort: number;
  /** Its ports are looked up in the cluster whenever the playbook runs. */
  readonly lookUp: boolean;
}

/** A script that does everything; without a text HAProxy is configured instead. */
export interface BalancerScript {
  readonly text: string;
  /** With the addresses filled in. */
  readonly arguments: readonly string[];
}
