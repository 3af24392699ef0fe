import type { Cluster } from '../cluster/cluster.ts';

/** What a run does to the applied state when it succeeds, known before it starts. */
export interface Effect {
  /** Phases that are then as the bundle wants them on every host. */
  readonly brings: readonly string[];
  /** Phases of which then some hosts have what the bundle wants, and others what was there. */
  readonly touches: readonly string[];
  readonly enters: readonly string[];
  readonly leaves: readonly string[];
  /** True: a machine that did not fail is in, whatever happened to the others. */
  readonly each: boolean;
  /** The version that Kubernetes then has; empty: no other. */
  readonly version: string;
  /** CNFs that are then as the bundle wants them, and those that are gone, `*` being all; missing: none. */
  readonly cnfs?: { readonly brings: readonly string[]; readonly drops: readonly string[] };
  /** Phases of which nobody knows what is left, whatever a run brought before, and CNFs with them; missing: none. */
  readonly reverts?: readonly string[];
}

/** What an effect follows from. */
export interface EffectContext {
  readonly cluster: Cluster;
  /** Names of the phases of the bundle that build it. */
  readonly phases: readonly string[];
  readonly targets: readonly string[];
  /** Phases that the step brings besides. */
  readonly brings: readonly string[];
}

/** An effect from what is not empty in it. */
export const effect = (parts: Partial<Effect>): Effect => ({
  brings: [],
  touches: [],
  enters: [],
  leaves: [],
  each: false,
  version: '',
  ...parts,
});

/** The whole cluster is as the bundle wants it. */
export const bringsAll = ({ cluster, phases }: EffectContext): Effect =>
  effect({ brings: phases, enters: machinesOf(cluster), version: cluster.kubernetes.version });

/** Nothing of the cluster is left on its machines; with etcd everything in namespaces is gone. */
export const removesAll = ({ cluster }: EffectContext): Effect =>
  effect({ leaves: machinesOf(cluster), cnfs: { brings: [], drops: ['*'] } });

/** What a snapshot of etcd may lack of it, though the hosts have it. */
export const revertsEtcd = ({ phases }: EffectContext): Effect =>
  effect({ reverts: phases.filter((phase) => inEtcd.includes(phase)) });

/** What they brought lies in etcd, at least in part. */
const inEtcd = ['workers', 'network', 'persistent-volumes', 'kubernetes-settings', 'cloud-controller'];

const machinesOf = ({ machines }: Cluster): readonly string[] => machines.map(({ name }) => name);
