import { pack } from '../../../generators/bundle.ts';
import type { Cluster, Machine } from '../../../generators/cluster/cluster.ts';
import { appliedAfter, nothingApplied, type AppliedState } from '../../../generators/plan/applied.ts';
import { effectOf } from '../../../generators/plan/effect.ts';
import { planOf, type Plan } from '../../../generators/plan/plan.ts';
import { snapshotOf, type Snapshot } from '../../../generators/plan/snapshot.ts';
import { render } from '../../../generators/render.ts';
import { endpoint, kubeadmCluster, machine } from '../../support/definitions/clusters.ts';
import { templates } from '../../support/definitions/templates.ts';

export const snapshot = (of: Cluster, made = 'now'): Snapshot =>
  snapshotOf(of, pack(of, render(of, templates)), made);

/** What is on the hosts after the whole of a cluster was run. */
export const having = (of: Cluster, made = 'now'): AppliedState => bring(nothingApplied, of, made);

/** The same where something was applied before. */
export const bring = (before: AppliedState, of: Cluster, made = 'now'): AppliedState => {
  const wanted = snapshot(of, made);
  const effect = effectOf(
    {
      operation: 'instantiate',
      targets: [],
      brings: [],
      completes: '',
      check: false,
      limit: [],
      tagged: false,
    },
    wanted,
  );
  if (effect === undefined) throw new Error('a whole run has an effect');
  return appliedAfter(
    before,
    {
      run: 'r',
      operation: 'instantiate',
      targets: [],
      bundle: wanted.bundle,
      effect,
      status: 'successful',
      recap: {},
    },
    wanted,
  );
};

export const plan = (before: Cluster, after: Cluster): Plan =>
  planOf({ applied: having(before), wanted: snapshot(after) });

export const short = ({ steps }: Plan): string[] =>
  steps.map(({ operation, targets, danger }) =>
    [operation, ...targets, ...(danger === 'none' ? [] : [`(${danger})`])].join(' '),
  );

export const kube = kubeadmCluster();
export const worker = (name: string, address: string): Machine =>
  machine(name, address, { roles: ['worker'] });
export const withMachines = (machines: readonly Machine[]): Cluster => {
  const masters = machines.filter(({ roles }) => roles.includes('control-plane'));
  return kubeadmCluster({ machines, endpoint: endpoint(masters) });
};
