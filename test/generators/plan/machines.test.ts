import { describe, expect, test } from 'vitest';
import type { Cluster, Machine } from '../../../generators/cluster/cluster.ts';
import { appliedAfter, nothingApplied, type AppliedState } from '../../../generators/plan/applied.ts';
import { effectOf } from '../../../generators/plan/effect.ts';
import { planOf } from '../../../generators/plan/plan.ts';
import { refusedChanges } from '../../../generators/plan/refusals.ts';
import { endpoint, kubeadmCluster, machine } from '../../support/definitions/clusters.ts';
import { having, kube, plan, short, snapshot, withMachines, worker } from './support.ts';

const head = (name: string, address: string): Machine =>
  machine(name, address, { roles: ['control-plane', 'etcd'] });
const others = kube.machines.filter(({ name }) => !['cp3', 'w1'].includes(name));
const moved = (names: readonly string[]): readonly Machine[] =>
  kube.machines.map((each) => (names.includes(each.name) ? { ...each, address: `${each.address}9` } : each));

/** Load balancers beside the cluster, so that control planes are nothing besides. */
const beside = (machines: readonly Machine[]): Cluster => {
  const balancers = [machine('lb1', '10.0.0.41', { roles: ['load-balancer'] })];
  return kubeadmCluster({ machines: [...machines, ...balancers], endpoint: endpoint(balancers) });
};

/** After an operation on a node, from a definition that names it. */
function after(
  before: Cluster,
  operation: string,
  name: string,
  { of = having(before), status = 'successful' } = {},
): AppliedState {
  const wanted = snapshot(before);
  const run = { operation, targets: name === '' ? [] : [name], brings: [], completes: '' };
  const effect = effectOf({ ...run, check: false, limit: [], tagged: false }, wanted);
  if (effect === undefined) throw new Error(`${operation} has an effect`);
  const fact = { run: 'r', ...run, bundle: wanted.bundle, effect, status, recap: {} };
  return appliedAfter(of, fact, wanted);
}

describe('a version that comes with nodes', () => {
  const newer = (machines: readonly Machine[]): Cluster => {
    const cluster = withMachines(machines);
    return { ...cluster, kubernetes: { ...cluster.kubernetes, version: '1.35.0' } };
  };
  const refusal = (name: string): string =>
    `kubernetes.version: an upgrade goes through every node, and ${name} is not in yet as the definition says: bring one of the two first, the version or ${name}`;

  test.each([
    ['is new', 'w3', [...kube.machines, worker('w3', '10.0.0.23')]],
    ['is another machine', 'w1', moved(['w1'])],
  ])('waits where one of them %s', (_, name, machines) => {
    expect(plan(kube, newer(machines)).refused).toEqual([refusal(name)]);
  });

  test('comes once nodes are out that go, and with machines that are no nodes', () => {
    const fewer = newer(kube.machines.filter(({ name }) => name !== 'w2'));
    expect(plan(kube, fewer).refused).toEqual([]);
    expect(short(plan(kube, fewer)).slice(0, 3)).toEqual(['scale-in w2 (remove)', 'etcd-backup', 'upgrade']);
    const more = newer([...kube.machines, machine('storage1', '10.0.0.51', { roles: ['storage'] })]);
    expect(plan(kube, more).refused).toEqual([]);
  });
});

describe('control planes', () => {
  test('that move at once are refused but for the first', () => {
    const { refused } = plan(kube, withMachines(moved(['cp2', 'cp3'])));
    expect(refused).toEqual([
      "machines.cp3: control planes come one after the other where one takes another's place: bring cp2 first, and cp3 after it",
    ]);
    expect(plan(kube, withMachines(moved(['cp1', 'cp2']))).refused).toHaveLength(1);
    expect(plan(kube, withMachines(moved(['cp3']))).refused).toEqual([]);
  });

  test('that come while another one moves wait for it', () => {
    const more = withMachines([...moved(['cp3']), head('cp4', '10.0.0.14'), head('cp5', '10.0.0.15')]);
    expect(plan(kube, more).refused).toEqual([
      expect.stringMatching(/^machines\.cp4: .* bring cp3 first, and cp4 after it$/),
      expect.stringMatching(/^machines\.cp5: /),
    ]);
  });

  test('that become workers leave before others become control planes', () => {
    const swapped = [...others, head('w1', '10.0.0.21'), worker('cp3', '10.0.0.13')];
    const { steps, refused } = planOf({
      applied: having(beside(kube.machines)),
      wanted: snapshot(beside(swapped)),
    });
    expect(refused).toEqual([]);
    expect(steps.slice(0, 2).map(({ operation, targets, danger }) => [operation, targets, danger])).toEqual([
      ['replace-node', ['cp3'], 'quorum'],
      ['replace-node', ['w1'], 'quorum'],
    ]);
  });

  test('that are none yet speak for no other', () => {
    const swapped = [head('w1', '10.0.0.21'), ...others, worker('cp3', '10.0.0.13')];
    expect(plan(beside(kube.machines), beside(swapped)).refused).toEqual([
      'machines.w1: cp3 would be replaced from there, and it is no control plane yet: name it behind those that are',
    ]);
  });

  test('that hold the address and become workers are taken out first, from the definition that names them so', () => {
    const before = withMachines([...kube.machines, head('cp4', '10.0.0.14'), head('cp5', '10.0.0.15')]);
    const demoted = before.machines.map((each) =>
      ['cp4', 'cp5'].includes(each.name) ? { ...each, roles: ['worker' as const] } : each,
    );
    expect(plan(before, withMachines(demoted)).refused).toEqual([
      expect.stringMatching(/^cp4 no longer balances the API: .*\(npx task scale-in cp4\)/),
      expect.stringMatching(/^cp5 no longer balances the API: /),
    ]);
    const applied = after(before, 'scale-in', 'cp5');
    expect(planOf({ applied, wanted: snapshot(withMachines(demoted)) }).refused).toEqual([
      expect.stringMatching(/^cp4 no longer balances the API: /),
    ]);
  });

  test('that scale-in took out are missed by nobody once they leave the definition', () => {
    const before = withMachines([...kube.machines, head('cp4', '10.0.0.14')]);
    const applied = after(before, 'scale-in', 'cp4');
    expect(planOf({ applied, wanted: snapshot(kube) }).refused).toEqual([]);
  });
});

describe('a node that a run did not come to take in', () => {
  const more = withMachines([...kube.machines, worker('w3', '10.0.0.23')]);
  const cut = after(more, 'scale-out', 'w3', { of: having(kube), status: 'failed' });

  test('is taken in by the next, as long as the definition names it', () => {
    expect(short(planOf({ applied: cut, wanted: snapshot(more) }))).toEqual(['scale-out w3']);
    expect(planOf({ applied: cut, wanted: snapshot(more) }).refused).toEqual([]);
  });

  test('is named where the very first run failed, which may be why it is no longer wanted', () => {
    const failed = after(more, 'instantiate', '', { of: nothingApplied, status: 'failed' });
    const { steps, unneeded, refused } = planOf({ applied: failed, wanted: snapshot(kube) });
    expect(steps.map(({ operation }) => operation)).toEqual(['instantiate']);
    expect(refused).toEqual([]);
    expect(unneeded).toEqual([
      expect.stringMatching(/^machines\.w3: .* may be a node all the same: .* npx task scale-in w3$/),
    ]);
    expect(planOf({ applied: failed, wanted: snapshot(more) }).unneeded).toEqual([]);
  });

  test('is not forgotten where the definition goes back, until it is taken out', () => {
    expect(planOf({ applied: cut, wanted: snapshot(kube) }).refused).toEqual([
      'machines.w3: a run that was to take it in did not complete, and it may be a node all the same: with the definition that names it, npx task scale-in w3',
    ]);
    const out = after(more, 'scale-in', 'w3', { of: cut });
    expect(planOf({ applied: out, wanted: snapshot(kube) })).toMatchObject({ refused: [], steps: [] });
  });
});

describe('a definition that goes back', () => {
  test('leaves no node behind that came with one which was applied in part', () => {
    const more = withMachines([...kube.machines, worker('w3', '10.0.0.23')]);
    const both = { ...more, containerd: { ...more.containerd, cri: { max_concurrent_downloads: 5 } } };
    const applied = after(both, 'scale-out', 'w3', { of: having(kube) });
    expect(planOf({ applied, wanted: snapshot(both) }).refused).toEqual([]);
    expect(planOf({ applied, wanted: snapshot(kube) }).refused).toEqual([
      'machines.w3: it came with a definition that was never applied as a whole: with the definition that names it, npx task scale-in w3',
    ]);
    const whole = after(both, 'scale-out', 'w3', { of: having(both) });
    expect(planOf({ applied: whole, wanted: snapshot(kube) })).toMatchObject({ refused: [] });
  });

  test('from a version that an upgrade did not bring to all asks whether a node has it', () => {
    const newer = { ...kube, kubernetes: { ...kube.kubernetes, version: '1.35.0' } };
    const cut = after(newer, 'upgrade', '', { of: having(kube), status: 'failed' });
    const back = planOf({ applied: cut, wanted: snapshot(kube) });
    expect(short(back)).toEqual(['upgrade', 'verify']);
    expect(back.steps[0]?.reasons).toEqual([
      'an upgrade to 1.35.0 did not complete: nodes that have it are named',
    ]);
    expect(short(planOf({ applied: cut, wanted: snapshot(newer) })).slice(0, 2)).toEqual([
      'etcd-backup',
      'upgrade',
    ]);
    const asked = after(kube, 'upgrade', '', { of: cut });
    expect(short(planOf({ applied: asked, wanted: snapshot(kube) }))).toEqual([]);
  });
});

describe('settings that come with new workers', () => {
  const grown = withMachines([...kube.machines, worker('w3', '10.0.0.23')]);
  const both = { ...grown, kubernetes: { ...grown.kubernetes, kubelet: { maxPods: 50 } } };

  test('are brought before these join, and the whole is looked at when they have', () => {
    expect(short(plan(kube, both))).toEqual(['kubernetes-settings', 'scale-out w3', 'verify']);
  });
});

describe('a run of everything', () => {
  test.each<[string, Cluster, string]>([
    ['at another address', withMachines(moved(['w1'])), '10.0.0.219, worker'],
    ['in another role', withMachines([...others, head('w1', '10.0.0.21')]), '10.0.0.21, control-plane, etcd'],
  ])('replaces no node that is %s', (_, wanted, becomes) => {
    expect(refusedChanges(having(kube), snapshot(wanted))).toEqual([
      `machines.w1: 10.0.0.21, worker becomes ${becomes}: a node leaves and comes back for that, which npx task apply does`,
    ]);
  });

  test('brings new nodes, and whoever works besides', () => {
    const more = withMachines([...kube.machines, worker('w3', '10.0.0.23')]);
    expect(refusedChanges(having(kube), snapshot(more))).toEqual([]);
    const working = kube.machines.map((each) =>
      each.name === 'cp1' ? { ...each, roles: [...each.roles, 'worker' as const] } : each,
    );
    expect(refusedChanges(having(kube), snapshot(withMachines(working)))).toEqual([]);
  });
});
