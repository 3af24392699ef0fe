import { describe, expect, test } from 'vitest';
import {
  appliedAfter,
  nothingApplied,
  type AppliedState,
  type Fact,
} from '../../../generators/plan/applied.ts';
import { effectOf, type IntendedStep } from '../../../generators/plan/effect.ts';
import { appliedOf, readLedger, unfinishedFact, type Ledger } from '../../../generators/plan/ledger.ts';
import { planOf } from '../../../generators/plan/plan.ts';
import type { Snapshot } from '../../../generators/plan/snapshot.ts';
import { kubeadmCluster } from '../../support/definitions/clusters.ts';

const cluster = kubeadmCluster();
const names = cluster.machines.map(({ name }) => name);
const snapshot = (bundle: string, phases: Snapshot['phases']): Snapshot => ({
  bundle,
  made: 'm',
  cluster,
  phases,
});
const first = snapshot('b1', { host: 'h1', haproxy: 'x1', workers: 'w1' });
const second = snapshot('b2', { host: 'h1', haproxy: 'x2', workers: 'w1' });

const asked = (operation: string, more: Partial<IntendedStep> = {}): IntendedStep => ({
  ...{ operation, targets: [], brings: [], completes: '', check: false, limit: [], tagged: false },
  ...more,
});
const fine = { failed: 0, unreachable: 0 };
const after = (
  before: AppliedState,
  of: Snapshot,
  { status = 'successful', recap = {}, ...more }: Partial<IntendedStep & Fact>,
): AppliedState => {
  const intended = asked(more.operation ?? '', more);
  const effect = effectOf(intended, of);
  if (effect === undefined) return before;
  const { operation, targets } = intended;
  return appliedAfter(before, { run: 'r', operation, targets, bundle: of.bundle, effect, status, recap }, of);
};
const whole = after(nothingApplied, first, { operation: 'instantiate' });

describe('what is applied', () => {
  test('is everything after the whole of a cluster', () => {
    expect(whole).toMatchObject({ whole: { bundle: 'b1' }, phases: first.phases, version: '1.34.1' });
    expect(Object.keys(whole.members)).toEqual(names);
  });

  test('is the other definition once its last phase has come', () => {
    expect(after(whole, second, { operation: 'haproxy' }).whole?.bundle).toBe('b2');
    expect(after(whole, second, { operation: 'workers' })).toMatchObject({ whole: { bundle: 'b1' } });
  });

  test.each(['failed', 'unreachable', 'canceled', 'error', 'lost', 'running'])(
    'is unknown of a phase whose run ended as %s',
    (status) => {
      expect(after(whole, second, { operation: 'haproxy', status }).phases['haproxy']).toBe('');
    },
  );

  test('is unknown of a phase that only some hosts have had, unless it is the same', () => {
    const part = { operation: 'haproxy', limit: ['cp1'] };
    expect(after(whole, second, part).phases['haproxy']).toBe('');
    expect(after(whole, first, part).phases['haproxy']).toBe('x1');
    expect(after(whole, second, { operation: 'haproxy', tagged: true }).phases['haproxy']).toBe('');
  });

  test('is nothing that check mode did', () => {
    expect(after(whole, second, { operation: 'haproxy', check: true })).toBe(whole);
  });

  test('are the new nodes that did not fail, and not those that did', () => {
    const members = Object.fromEntries(
      Object.entries(whole.members).filter(([name]) => !name.startsWith('w')),
    );
    const grown = after({ ...whole, members }, first, {
      operation: 'scale-out',
      targets: ['w1', 'w2'],
      status: 'failed',
      recap: { w1: fine, w2: { failed: 1, unreachable: 0 }, cp1: fine },
    });
    expect(Object.keys(grown.members)).toContain('w1');
    expect(Object.keys(grown.members)).not.toContain('w2');
    const cut = after({ ...whole, members }, first, {
      operation: 'scale-out',
      targets: ['w1'],
      status: 'canceled',
      recap: { w1: fine },
    });
    expect(Object.keys(cut.members)).not.toContain('w1');
  });

  test('are no longer the nodes that left, exactly those', () => {
    const shrunk = after(whole, first, { operation: 'scale-in', targets: ['w1'] });
    expect(Object.keys(shrunk.members)).toEqual(names.filter((name) => name !== 'w1'));
    const kept = after(whole, first, { operation: 'scale-in', targets: ['w1'], status: 'failed' });
    expect(Object.keys(kept.members)).toEqual(names);
    expect(after(whole, first, { operation: 'reset' })).toEqual(nothingApplied);
    const one = after(whole, first, { operation: 'reset', limit: ['w2'] });
    expect(Object.keys(one.members)).toEqual(names.filter((name) => name !== 'w2'));
  });
});

describe('what lies in etcd', () => {
  const stored: Snapshot = snapshot('b3', {
    ...{ host: 'h1', 'kubernetes-settings': 's1', workers: 'w1', network: 'n1' },
    ...{ 'persistent-volumes': 'p1', 'cloud-controller': 'c1' },
  });
  const built = after(nothingApplied, stored, { operation: 'instantiate' });

  test.each(['restore', 'etcd-restore'])(
    'is asked for again after %s, though the definition is the same',
    (operation) => {
      const restored = after(built, stored, { operation });
      const steps = planOf({ applied: restored, wanted: stored }).steps.map((step) => step.operation);
      expect(steps).toEqual([
        'reconfigure',
        'workers',
        'network',
        'persistent-volumes',
        'cloud-controller',
        'verify',
      ]);
      expect(planOf({ applied: restored, wanted: stored }).steps[1]?.reasons).toEqual([
        'etcd was restored since workers was run, or that was begun: a snapshot may lack what it brought',
      ]);
      expect(restored.phases['host']).toBe('h1');
    },
  );

  test('is brought by the phases of an operation of its own, and not along with new workers', () => {
    const restored = after(built, stored, { operation: 'restore' });
    const again = after(restored, stored, { operation: 'workers' });
    expect(again.phases).toMatchObject({ workers: 'w1', network: 'reverted' });
    const whole = after(restored, stored, { operation: 'instantiate' });
    expect(planOf({ applied: whole, wanted: stored }).steps).toEqual([]);
  });

  const older: Snapshot = {
    ...stored,
    bundle: 'b0',
    cluster: { ...cluster, kubernetes: { ...cluster.kubernetes, version: '1.34.0' } },
  };
  const upgraded = after(after(nothingApplied, older, { operation: 'instantiate' }), stored, {
    operation: 'upgrade',
  });
  const operations = (applied: AppliedState, wanted = stored): readonly string[] =>
    planOf({ applied, wanted }).steps.map(({ operation }) => operation);

  test.each(['successful', 'failed', 'running'])(
    'may be of before an upgrade, which comes once more: after a restore that ended as %s',
    (status) => {
      expect(operations(upgraded)).toEqual([]);
      const restored = after(upgraded, stored, { operation: 'restore', status });
      expect(operations(restored).slice(0, 3)).toEqual(['etcd-backup', 'upgrade', 'reconfigure']);
      expect(planOf({ applied: restored, wanted: stored }).steps[1]?.reasons).toEqual([
        'etcd was restored since 1.34.1 came, or that was begun: a snapshot of before says 1.34.0 of the cluster, and has its kube-proxy and CoreDNS; where it is none, nothing is upgraded',
      ]);
      const done = after(restored, stored, { operation: 'upgrade' });
      expect(operations(done)[0]).toBe('reconfigure');
      expect(operations(after(restored, stored, { operation: 'upgrade', status: 'failed' }))[0]).toBe(
        'upgrade',
      );
    },
  );

  test('cannot be of before an upgrade that was undone with its cluster', () => {
    const anew = after(after(upgraded, stored, { operation: 'terminate' }), stored, {
      operation: 'instantiate',
    });
    expect(operations(after(anew, stored, { operation: 'restore' }))).not.toContain('upgrade');
  });

  test('goes to no newer version before it has the one of its hosts again', () => {
    const restored = after(upgraded, stored, { operation: 'restore' });
    const newer = { ...cluster, kubernetes: { ...cluster.kubernetes, version: '1.35.0' } };
    const { refused } = planOf({ applied: restored, wanted: { ...stored, bundle: 'b9', cluster: newer } });
    expect(refused).toEqual([
      'kubernetes.version: etcd was restored, and may hold a cluster of 1.34.0 on hosts that have 1.34.1: bring the definition with 1.34.1 first, and 1.35.0 after it',
    ]);
  });

  test('of which a run did not complete stays so', () => {
    const failed = after(built, stored, { operation: 'workers', status: 'failed' });
    expect(after(failed, stored, { operation: 'restore' }).phases['workers']).toBe('');
  });
});

describe('the ledger', () => {
  const effect = effectOf(asked('haproxy'), second);
  if (effect === undefined) throw new Error('a phase has an effect');
  const fact: Fact = {
    ...{ run: 'r', operation: 'haproxy', targets: [], bundle: 'b2', effect, status: 'successful', recap: {} },
  };
  const ledger: Ledger = {
    ...{ apiVersion: 'playsmith/v1', kind: 'Applied', base: whole, snapshots: { b2: second }, facts: [fact] },
  };

  test('is what came before, and every run since', () => {
    expect(appliedOf(ledger).whole?.bundle).toBe('b2');
    expect(unfinishedFact(ledger)).toBeUndefined();
    expect(unfinishedFact({ ...ledger, facts: [{ ...fact, status: 'running' }] })?.run).toBe('r');
  });

  test.each([
    'w1; reboot #',
    '$(reboot)',
    '../w1',
    '--yes',
    'w\u001b[2J',
    'w1\nscale-in',
    '',
    '`w1`',
    '[w1](http://x)',
  ])('with the name %j, which a shell, a terminal or a page would obey, is not read', (name) => {
    const [machine] = second.cluster.machines;
    const cluster = { ...second.cluster, machines: [{ ...machine, name }] };
    const member = { address: '192.0.2.1', roles: [] };
    const cnf = { namespace: 'n', digest: 'd', objects: [], moved: [], settings: '', isUp: true };
    const base = { whole: undefined, phases: {}, members: {}, version: '' };
    for (const bent of [
      { facts: [{ ...fact, operation: name }] },
      { facts: [{ ...fact, targets: [name] }] },
      { facts: [{ ...fact, effect: { ...fact.effect, enters: [name] } }] },
      { facts: [{ ...fact, effect: { ...fact.effect, leaves: [name] } }] },
      { snapshots: { b2: { ...second, cluster } } },
      { base: { ...base, members: { [name]: member } } },
      { base: { ...base, cnfs: { [name]: cnf } } },
      ...(name === '' ? [] : [{ base: { ...base, version: name } }]),
    ])
      expect(readLedger(JSON.stringify({ ...ledger, ...bent })).ok, JSON.stringify(bent)).toBe(false);
  });

  test('of another version, or cut off, is not read', () => {
    expect(readLedger(JSON.stringify(ledger))).toEqual({ ok: true, value: ledger });
    expect(readLedger('{"apiVersion":"playsmith/v9","kind":"Applied"}').ok).toBe(false);
    expect(readLedger('{"apiVersion"').ok).toBe(false);
    expect(readLedger('')).toMatchObject({ ok: true, value: { base: null, facts: [] } });
  });
});
