import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { chosen, type TargetChoice } from '../../../generators/operations/choose.ts';
import { operationOf } from '../../../generators/playbooks.ts';
import { scopeOf, type Scope } from '../../../generators/operations/scope.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { RunOptions } from '../../runtime/agent/run-records.ts';
import type { Failure } from '../../runtime/failures.ts';

export interface OperationRequest {
  readonly playbook: string;
  /** As typed. */
  readonly choice: TargetChoice;
  /** The control plane that shall speak for the cluster; empty: the first that is no target. */
  readonly leader: string;
  readonly options: RunOptions;
}

/** Which machines a run is about, judged before any connection; undefined: the whole cluster. */
export function aim(
  cluster: Cluster,
  { playbook, choice, leader, options }: OperationRequest,
): Result<Scope | undefined, Failure> {
  const operation = operationOf(cluster, playbook);
  const found = chosen(cluster, choice);
  if (!found.ok) return failed(unusable(found.failure));
  const targets = found.value;
  if (operation === undefined || operation.targets.count === 'none')
    return targets.length === 0 && leader === '' ? ok(undefined) : failed(needless(playbook));
  const scope = scopeOf(cluster, { operation, targets, leader });
  if (!scope.ok) return failed(unusable(scope.failure));
  return options.limit === undefined ? scope : failed(twiceLimited(playbook));
}

const unusable = (reasons: readonly string[]): Failure => ({ kind: 'usage', message: reasons.join('\n') });

const needless = (playbook: string): Failure => ({
  kind: 'usage',
  message: `${playbook} takes no machine names; use --limit to run a phase on some hosts only`,
});

const twiceLimited = (playbook: string): Failure => ({
  kind: 'usage',
  message: `${playbook} is about its targets; --limit would leave out the control plane that runs kubectl`,
});
