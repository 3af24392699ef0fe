import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { nothingApplied } from '../../../generators/plan/applied.ts';
import { journalOf, waiting, type JournalStep } from '../../../generators/plan/journal.ts';
import { planOf } from '../../../generators/plan/plan.ts';
import { step, type Step } from '../../../generators/plan/step.ts';
import { requestOf } from '../../../tasks/apply/steps.ts';
import { aim } from '../../../tasks/steps/run/scope.ts';
import { clusterWith, configMap } from '../../support/definitions/cnfs.ts';
import { having, kube, snapshot, withMachines, worker } from '../../generators/plan/support.ts';

/** Whom each step that has targets would ask, in its own bundle. */
function hostsAsked(before: Cluster, after: Cluster): readonly (readonly string[])[] {
  const applied = having(before);
  const { steps } = journalOf(planOf({ applied, wanted: snapshot(after) }), { who: '', started: '' });
  const course = {
    rendered: { cluster: after } as never,
    life: { applied } as never,
    given: [],
    options: {},
  };
  const asked = (step: JournalStep): string => {
    const cluster = step.from === 'applied' ? before : after;
    const { playbook, targets = [], leader = '' } = requestOf(step, course, cluster);
    const choice = { words: targets, count: 0, policy: 'newest' } as const;
    const scope = aim(cluster, { playbook, choice, leader, options: {} });
    return scope.ok ? (scope.value?.kubectl_host.join() ?? '') : JSON.stringify(scope.failure);
  };
  return steps
    .filter(({ targets }) => targets.length > 0)
    .map((step) => [[step.operation, ...step.targets].join(' '), asked(step)]);
}

const without = (...names: readonly string[]): Cluster =>
  withMachines(kube.machines.filter(({ name }) => !names.includes(name)));

describe('nodes that leave one after the other', () => {
  test('are taken out from a control plane that stays, not from one that left before', () => {
    expect(hostsAsked(kube, without('cp1', 'w2'))).toEqual([
      ['scale-in cp1', 'cp2'],
      ['scale-in w2', 'cp2'],
    ]);
    expect(hostsAsked(kube, without('cp1', 'cp2', 'w2'))).toEqual([
      ['scale-in cp1', 'cp3'],
      ['scale-in cp2', 'cp3'],
      ['scale-in w2', 'cp3'],
    ]);
  });

  test('and nodes that come are asked of the first that is in', () => {
    const grown = withMachines([...kube.machines, worker('w3', '10.0.0.23')]);
    expect(hostsAsked(kube, grown)).toEqual([['scale-out w3', 'cp1']]);
  });
});

describe('a step about CNFs that is taken up', () => {
  const cluster = clusterWith('cnfs:\n  - { name: a, namespace: one, manifests: [a.yaml] }\n', {
    'a.yaml': configMap('a'),
  });
  const given = (step: Step, ...told: readonly string[]): readonly string[] => {
    const rendered = { cluster } as never;
    const course = { rendered, life: { applied: nothingApplied } as never, given: told, options: {} };
    const [journaled] = waiting([step], { before: '', after: '' });
    return journaled === undefined ? [] : (requestOf(journaled, course, cluster).given ?? []);
  };
  const update = step('cnf-update', [], { targets: ['a'], danger: 'remove', confirm: 'a' });

  test('is told once what its run was told before', () => {
    const told = ['cnf_update_names=a', 'cnf_update_prune=yes'];
    expect(given(update, ...told)).toEqual(told);
    expect(given(step('cnf-instantiate', [], { targets: ['a'] }), 'cnf_instantiate_names=a')).toEqual([
      'cnf_instantiate_names=a',
    ]);
  });

  test('is not told of others in passing', () => {
    expect(given(update, 'cnf_update_names=b')).toContain('cnf_update_names=b');
  });
});
