import { describe, expect, test } from 'vitest';
import { pack } from '../../../generators/bundle.ts';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { appliedAfter, nothingApplied, type AppliedState } from '../../../generators/plan/applied.ts';
import { effectOf } from '../../../generators/plan/effect.ts';
import { planOf } from '../../../generators/plan/plan.ts';
import { snapshotOf } from '../../../generators/plan/snapshot.ts';
import { render } from '../../../generators/render.ts';
import { kubeadmCluster, machine } from '../../support/definitions/clusters.ts';
import { templates } from '../../support/definitions/templates.ts';

const patched = (version: string, more: Partial<Cluster> = {}): Cluster => ({
  ...kubeadmCluster(),
  patch: { packages: { openssl: version }, rebootAfter: [], workersAtOnce: 1 },
  ...more,
});
const snapshot = (of: Cluster) => snapshotOf(of, pack(of, render(of, templates)), 'now');

function after(
  before: AppliedState,
  of: Cluster,
  operation: string,
  { status = 'successful', limit = [] as readonly string[], targets = [] as readonly string[] } = {},
): AppliedState {
  const wanted = snapshot(of);
  const asked = { operation, targets, limit, brings: [], completes: '', check: false, tagged: false };
  const effect = effectOf(asked, wanted);
  if (effect === undefined) return before;
  const fact = { run: 'r', operation, targets, bundle: wanted.bundle, effect, status, recap: {} };
  return appliedAfter(before, fact, wanted);
}

const steps = (applied: AppliedState, of: Cluster): readonly string[] =>
  planOf({ applied, wanted: snapshot(of) }).steps.map(({ operation, reasons }) =>
    [operation, ...reasons].join(': '),
  );
const names = (applied: AppliedState, of: Cluster): readonly string[] =>
  planOf({ applied, wanted: snapshot(of) }).steps.map(({ operation }) => operation);

const old = patched('3.0.16');
const now = patched('3.0.17');
const built = after(nothingApplied, old, 'instantiate');
const done = after(built, old, 'patch');

describe('a step patch', () => {
  test('follows the building of a cluster, which brings no packages by itself', () => {
    expect(names(nothingApplied, old)).toEqual(['instantiate', 'patch']);
    expect(steps(built, old)).toEqual([
      'patch: not every machine is known to have the packages of the definition',
      'verify: the whole cluster is verified after the changes',
    ]);
    expect(names(done, old)).toEqual([]);
  });

  test('is planned with its reason when the pinned list changed', () => {
    expect(steps(done, now)[0]).toBe('patch: patch.packages.openssl: 3.0.16 becomes 3.0.17');
    expect(names(after(done, now, 'patch'), now)).toEqual([]);
  });

  test('is planned again after a run that failed, or was about some machines', () => {
    expect(names(after(done, now, 'patch', { status: 'failed' }), now)).toContain('patch');
    expect(names(after(done, now, 'patch', { limit: ['w1'] }), now)).toContain('patch');
  });

  test('is not planned again by running what builds the cluster once more', () => {
    expect(names(after(done, old, 'instantiate'), old)).toEqual([]);
  });

  test('is planned for a machine that came', () => {
    const grown = patched('3.0.16', {
      machines: [...old.machines, machine('w9', '10.0.0.99', { roles: ['worker'] })],
    });
    expect(names(after(done, grown, 'scale-out', { targets: ['w9'] }), grown)).toContain('patch');
    // In one plan with its coming, so that nothing is left when that is done.
    expect(names(done, grown)).toEqual(['scale-out', 'patch', 'verify']);
    const came = after(after(done, grown, 'scale-out', { targets: ['w9'] }), grown, 'patch');
    expect(names(came, grown)).not.toContain('patch');
  });

  test('is planned with no reason that is another step’s', () => {
    const network = { ...old.network, nodeSubnets: ['10.0.0.0/16'] };
    expect(steps(built, { ...old, network })).toContain(
      'patch: not every machine is known to have the packages of the definition',
    );
  });

  test('is none for how it is done, and none where the definition lists no packages', () => {
    const faster: Cluster = {
      ...old,
      patch: { packages: { openssl: '3.0.16' }, rebootAfter: [], workersAtOnce: 3 },
    };
    expect(names(done, faster)).toEqual([]);
    expect(names(done, kubeadmCluster())).not.toContain('patch');
  });
});
