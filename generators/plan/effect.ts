import { kindOf } from '../kinds/kinds.ts';
import { effect, removesAll, revertsEtcd, type Effect } from '../operations/effect.ts';
import { digestsOf, type Snapshot } from './snapshot.ts';

/** What is known of a run before it starts. */
export interface IntendedStep {
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
export function effectOf(run: IntendedStep, snapshot: Snapshot): Effect | undefined {
  if (run.check) return undefined;
  const all = whole(run, snapshot);
  if (all === undefined || (run.limit.length === 0 && !run.tagged)) return all;
  // A part of it: what it would have brought is there on some hosts, or in some tasks.
  const reverts = all.reverts === undefined ? {} : { reverts: all.reverts };
  return effect({ touches: [...all.brings, ...all.touches], leaves: partLeft(run, all), ...reverts });
}

/** With a limit `reset` takes exactly those out. */
const partLeft = ({ operation, limit, tagged }: IntendedStep, { leaves }: Effect): readonly string[] =>
  operation === 'reset' && !tagged ? leaves.filter((name) => limit.includes(name)) : [];

function whole({ completes, targets, brings, ...run }: IntendedStep, snapshot: Snapshot): Effect | undefined {
  const name = completes === '' ? run.operation : completes;
  const phases = Object.keys(snapshot.phases);
  const planned = { cluster: snapshot.cluster, phases, targets, brings };
  const known = kindOf(snapshot.cluster).operations.find((operation) => operation.name === name);
  if (known) return known.effect(planned);
  const cnfs = targets.length > 0 ? targets : Object.keys(snapshot.cnfs ?? {});
  switch (name) {
    case 'upgrade':
      return effect({ version: snapshot.cluster.kubernetes.version });
    case 'reset':
    case 'kubespray-reset':
      return removesAll(planned);
    case 'cnf-instantiate':
    case 'cnf-update':
      return effect({ cnfs: { brings: cnfs, drops: [] } });
    case 'cnf-terminate':
      return effect({ cnfs: { brings: [], drops: targets } });
    case 'encryption-off':
      return effect({});
    case 'etcd-restore':
      return revertsEtcd(planned);
    default:
      return Object.hasOwn(digestsOf(snapshot), name) ? effect({ brings: [name, ...brings] }) : undefined;
  }
}
