import type { Effect } from './applied.ts';
import type { Snapshot } from './snapshot.ts';

/** What is known of a run before it starts. */
export interface Intended {
  /** The playbook, without `.yml`. */
  readonly operation: string;
  /** Machines, or CNFs. */
  readonly targets: readonly string[];
  /** `brings` of the step that it is, where it is one. */
  readonly brings: readonly string[];
  /** The operation that it is the rest of, or empty. */
  readonly completes: string;
  readonly check: boolean;
  /** Names and groups that it is limited to; empty: it is not. */
  readonly limit: readonly string[];
  /** True when only some tasks are run. */
  readonly tagged: boolean;
}

/** What a run will have done to the applied state once it succeeded; undefined: it changes nothing that a plan asks for. */
export function effectOf(run: Intended, snapshot: Snapshot): Effect | undefined {
  if (run.check) return undefined;
  const effect = whole(run, snapshot);
  if (effect === undefined || (run.limit.length === 0 && !run.tagged)) return effect;
  // A part of it: what it would have brought is there on some hosts, or in some tasks.
  return { ...nothing, touches: [...effect.brings, ...effect.touches], leaves: partLeft(run, effect) };
}

const nothing: Effect = { brings: [], touches: [], enters: [], leaves: [], each: false, version: '' };

/** With a limit `reset` takes exactly those out. */
const partLeft = ({ operation, limit, tagged }: Intended, { leaves }: Effect): readonly string[] =>
  operation === 'reset' && !tagged ? leaves.filter((name) => limit.includes(name)) : [];

function whole({ completes, targets, brings, ...run }: Intended, snapshot: Snapshot): Effect | undefined {
  const operation = completes === '' ? run.operation : completes;
  const { kubernetes, machines } = snapshot.cluster;
  const all = machines.map(({ name }) => name);
  const phases = Object.keys(snapshot.phases);
  switch (operation) {
    case 'instantiate':
    case 'site':
    case 'heal-cluster':
      return {
        ...nothing,
        ...{ brings: phases, enters: all, version: kubernetes.version },
        // With etcd everything in namespaces is gone.
        ...(operation === 'heal-cluster' ? { cnfs: { brings: [], drops: ['*'] } } : {}),
      };
    case 'scale-out':
      return { ...nothing, brings, enters: targets, each: true };
    case 'scale-in':
      return { ...nothing, leaves: targets };
    case 'replace-node':
    case 'heal-node':
      return { ...nothing, brings, enters: targets };
    case 'upgrade':
      return { ...nothing, brings: phases.filter(isOfUpgrade), version: kubernetes.version };
    case 'reset':
    case 'kubespray-reset':
    case 'terminate':
      return { ...nothing, leaves: all, cnfs: { brings: [], drops: ['*'] } };
    case 'cnf-instantiate':
    case 'cnf-update':
      return {
        ...nothing,
        cnfs: { brings: targets.length > 0 ? targets : Object.keys(snapshot.cnfs ?? {}), drops: [] },
      };
    case 'cnf-terminate':
      return { ...nothing, cnfs: { brings: [], drops: targets } };
    case 'etcd-restore':
    case 'restore':
      return { ...nothing, touches: phases.filter((phase) => inEtcd.includes(phase)) };
    default:
      return phases.includes(operation) ? { ...nothing, brings: [operation, ...brings] } : undefined;
  }
}

/** kubespray's upgrade brings everything that it is told, not a version alone. */
export const isOfUpgrade = (phase: string): boolean => phase === 'kubespray-cluster';

/** What they brought lies in etcd, at least in part, and an older snapshot may lack it. */
const inEtcd = ['workers', 'network', 'persistent-volumes'];
