import { describe, expect, test } from 'vitest';
import { pack } from '../../../generators/bundle.ts';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { planOf } from '../../../generators/plan/plan.ts';
import { appliedAfter, nothingApplied } from '../../../generators/plan/applied.ts';
import { effectOf } from '../../../generators/plan/effect.ts';
import { snapshotOf, type Snapshot } from '../../../generators/plan/snapshot.ts';
import { render } from '../../../generators/render.ts';
import { machine } from '../../support/definitions/clusters.ts';
import { kubesprayExample } from '../../support/definitions/kubespray.ts';
import { templates } from '../../support/definitions/templates.ts';

const snapshot = (cluster: Cluster): Snapshot =>
  snapshotOf(cluster, pack(cluster, render(cluster, templates)), 'made');

const before = snapshot(kubesprayExample);
const run = { targets: [], brings: [], completes: '', check: false, limit: [], tagged: false };
const applied = appliedAfter(
  nothingApplied,
  {
    ...{
      run: '1',
      operation: 'instantiate',
      targets: [],
      bundle: before.bundle,
      status: 'successful',
      recap: {},
    },
    effect: effectOf({ operation: 'instantiate', ...run }, before) ?? (undefined as never),
  },
  before,
);

const told = (more: Partial<Cluster['kubespray']>, version?: string): Cluster => ({
  ...kubesprayExample,
  kubernetes: { ...kubesprayExample.kubernetes, ...(version === undefined ? {} : { version }) },
  kubespray: { ...kubesprayExample.kubespray, ...more },
});

const planned = (wanted: Cluster) => {
  const plan = planOf({ applied, wanted: snapshot(wanted) });
  return {
    steps: plan.steps.map(({ operation, targets }) => [operation, ...targets].join(' ')),
    refused: plan.refused,
  };
};

describe('a plan for kubespray', () => {
  test('has no step where nothing changed', () => {
    expect(planned(kubesprayExample)).toEqual({ steps: [], refused: [] });
  });

  const variables = kubesprayExample.kubespray.variables;

  test('brings a changed variable that cluster.yml brings by it', () => {
    expect(planned(told({ variables: { ...variables, enable_nodelocaldns: true } })).steps).toEqual([
      'kubespray-cluster',
      'verify',
    ]);
  });

  test.each([
    ['a variable of the API servers', { variables: { ...variables, kubernetes_audit: true } }],
    ['a name in their certificates', { certificateSans: ['other.example.org'] }],
  ])(
    'brings %s by an upgrade to the same version, since cluster.yml writes no running control plane',
    (_, more) => {
      const wanted = told(more);
      expect(planned(wanted).steps).toEqual(['upgrade', 'verify']);
      const after = snapshot(wanted);
      const effect = effectOf({ operation: 'upgrade', ...run }, after);
      const fact = {
        run: '2',
        operation: 'upgrade',
        targets: [],
        bundle: after.bundle,
        status: 'successful',
        recap: {},
      };
      const done = appliedAfter(applied, { ...fact, effect: effect ?? (undefined as never) }, after);
      expect(planOf({ applied: done, wanted: after }).steps).toEqual([]);
    },
  );

  test('upgrades where Kubernetes is another one, and calls cluster.yml no second time', () => {
    expect(planned(told({ version: 'v2.29.0' }, '1.33.5'))).toEqual({
      steps: ['upgrade', 'verify'],
      refused: [],
    });
  });

  test.each([
    [told({ version: 'v2.30.0' }, '1.33.7'), 'kubespray cannot skip one of its minor versions'],
    [told({ version: 'v2.27.1' }, '1.32.8'), 'kubespray cannot go back to an older tag'],
    [told({}, '1.31.9'), 'kubespray cannot be downgraded'],
    [told({ networkPlugin: 'calico' }), 'running pods have the network of the plugin'],
    [told({ containerManager: 'crio' }), 'kubespray changes the container manager of no running node'],
    [
      told({ etcdMembers: { ...kubesprayExample.kubespray.etcdMembers, master01: 'etcd1' } }),
      'a member of etcd keeps its name as long as it lives',
    ],
  ])('refuses what cannot be done in place', (wanted, why) => {
    expect(planned(wanted).refused).toContainEqual(expect.stringContaining(why));
  });

  test('takes new workers in, and others out, by operations on them alone', () => {
    const worker = machine('worker03', '192.0.2.23', { roles: ['worker'] });
    expect(
      planned({ ...kubesprayExample, machines: [...kubesprayExample.machines, worker] }).steps,
    ).toContain('scale-out worker03');
    const without = kubesprayExample.machines.filter(({ name }) => name !== 'worker02');
    expect(planned({ ...kubesprayExample, machines: without }).steps[0]).toBe('scale-in worker02');
  });

  test('brings another label by a call for all nodes, since kubespray marks none alone', () => {
    const labelled = kubesprayExample.machines.map((each) =>
      each.name === 'worker02' ? { ...each, labels: [{ key: 'disk', value: 'fast' }] } : each,
    );
    const plan = planOf({ applied, wanted: snapshot({ ...kubesprayExample, machines: labelled }) });
    expect(plan.steps.map(({ operation }) => operation)).toEqual(['kubespray-cluster', 'verify']);
    expect(plan.steps[0]?.reasons).toEqual([expect.stringMatching(/^machines\.worker02\.labels: .*disk/)]);
    expect(plan.unneeded).toEqual([]);
  });

  test('needs no step for where the Ansible server has it', () => {
    const { steps } = planned(told({ python: 'python3.12' }));
    expect(steps).toEqual([]);
  });
});
