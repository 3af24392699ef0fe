import { describe, expect, test } from 'vitest';
import type { Cluster, Machine } from '../../../generators/cluster/cluster.ts';
import { lastingHeads } from '../../../generators/plan/machines.ts';
import { endpoint, kubeadmCluster, machine } from '../../support/definitions/clusters.ts';
import { having, kube, plan, withMachines, worker } from './support.ts';

const head = (name: string, address: string): Machine =>
  machine(name, address, { roles: ['control-plane', 'etcd'] });

/** A load balancer beside the cluster, so that control planes are nothing besides. */
const beside = (machines: readonly Machine[]): Cluster => {
  const balancers = [machine('lb1', '10.0.0.41', { roles: ['load-balancer'] })];
  return kubeadmCluster({ machines: [...machines, ...balancers], endpoint: endpoint(balancers) });
};

describe('control planes that all leave', () => {
  const renamed = (names: readonly string[]): Cluster =>
    withMachines(
      kube.machines.map((each) => (names.includes(each.name) ? { ...each, name: `new-${each.name}` } : each)),
    );

  test('are refused, since nobody would be left to take them out', () => {
    expect(plan(kube, renamed(['cp1', 'cp2', 'cp3'])).refused).toEqual([
      expect.stringMatching(
        /^machines: cp1, cp2, cp3 would leave or be replaced, and no control plane would stay/,
      ),
    ]);
    expect(plan(kube, renamed(['cp1', 'cp2'])).refused).toEqual([]);
  });

  test('are refused where it is the only one, by another name or another address', () => {
    const only = beside([head('cp1', '10.0.0.11'), worker('w1', '10.0.0.21')]);
    for (const other of [head('cp9', '10.0.0.11'), head('cp1', '10.0.0.19')])
      expect(plan(only, beside([other, worker('w1', '10.0.0.21')])).refused).toEqual([
        expect.stringContaining('machines: cp1 would leave or be replaced'),
      ]);
  });

  test('are lasting where they are in, and stay', () => {
    const names = (of: Cluster): readonly string[] =>
      lastingHeads(having(kube), { cluster: of }).map(({ name }) => name);
    expect(names(kube)).toEqual(['cp1', 'cp2', 'cp3']);
    expect(names(renamed(['cp1']))).toEqual(['cp2', 'cp3']);
    const moved = kube.machines.map((each) =>
      each.name === 'cp2' ? { ...each, address: '10.0.0.99' } : each,
    );
    expect(names(withMachines(moved))).toEqual(['cp1', 'cp3']);
  });
});

describe('workers that all leave', () => {
  const heads = kube.machines.filter(({ name }) => name.startsWith('cp'));

  test('are said to need the word that none is enough, at the last of them', () => {
    const { steps } = plan(kube, withMachines(heads));
    const told = steps.map(({ operation, targets, reasons }) => [
      operation,
      targets.join(),
      reasons.some((reason) => reason.includes('--set node_preflight_minimum=0')),
    ]);
    expect(told.slice(0, 2)).toEqual([
      ['scale-in', 'w1', false],
      ['scale-in', 'w2', true],
    ]);
    const one = withMachines([...heads, worker('w1', '10.0.0.21')]);
    expect(JSON.stringify(plan(kube, one).steps)).not.toContain('node_preflight_minimum');
  });
});
