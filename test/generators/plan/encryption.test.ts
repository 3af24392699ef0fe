import { describe, expect, test } from 'vitest';
import { pack } from '../../../generators/bundle.ts';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import {
  appliedAfter,
  nothingApplied,
  type AppliedState,
  type Fact,
} from '../../../generators/plan/applied.ts';
import { effectOf } from '../../../generators/plan/effect.ts';
import { planOf, type Plan } from '../../../generators/plan/plan.ts';
import { snapshotOf, type Snapshot } from '../../../generators/plan/snapshot.ts';
import { render } from '../../../generators/render.ts';
import { endpoint, kubeadmCluster, machine } from '../../support/definitions/clusters.ts';
import { templates } from '../../support/definitions/templates.ts';

const plain = kubeadmCluster();

const encrypted = (more: { provider?: 'secretbox' | 'aescbc'; env?: string } = {}, of = plain): Cluster => ({
  ...of,
  kubernetes: {
    ...of.kubernetes,
    encryption: { provider: more.provider ?? 'secretbox', keyVariable: 'vault_encryption_key' },
  },
  secrets: [
    ...of.secrets,
    {
      variable: 'vault_encryption_key',
      path: 'installer.kubeadm.encryption.secretKey',
      reference: { kind: 'env', name: more.env ?? 'ETCD_KEY' },
    },
  ],
});

const snapshot = (of: Cluster): Snapshot => snapshotOf(of, pack(of, render(of, templates)), 'now');

/** What is known after a run of one playbook of a cluster's bundle. */
function after(
  before: AppliedState,
  of: Cluster,
  operation: string,
  { status = 'successful', brings = [] }: { status?: string; brings?: readonly string[] } = {},
): AppliedState {
  const wanted = snapshot(of);
  const run = { operation, targets: [], brings, completes: '', check: false, limit: [], tagged: false };
  const effect = effectOf(run, wanted);
  if (effect === undefined) throw new Error(`${operation} has no effect`);
  const fact: Fact = { run: 'r', operation, targets: [], bundle: wanted.bundle, effect, status, recap: {} };
  return appliedAfter(before, fact, wanted);
}

const built = (of: Cluster): AppliedState => after(nothingApplied, of, 'instantiate');
const plan = (applied: AppliedState, of: Cluster): Plan => planOf({ applied, wanted: snapshot(of) });
const steps = (applied: AppliedState, of: Cluster): readonly string[] =>
  plan(applied, of).steps.map(({ operation, from }) =>
    from === 'applied' ? `${operation} (applied)` : operation,
  );

const cp4 = machine('cp4', '10.0.0.14', { roles: ['control-plane', 'etcd'] });
const machines = [...plain.machines, cp4];
/** The same cluster with one more control plane. */
const more = {
  ...plain,
  machines,
  endpoint: endpoint(machines.filter(({ name }) => name.startsWith('cp'))),
};

describe('encryption of Secrets that is new', () => {
  test('is readable everywhere before anything is written with it, then everything is', () => {
    const { refused } = plan(built(plain), encrypted());
    expect(refused).toEqual([]);
    expect(steps(built(plain), encrypted())).toEqual([
      'control-plane',
      'reconfigure',
      'encryption-key',
      'verify',
    ]);
  });

  test('is asked for until it came to its end, wherever the apply was cut', () => {
    const half = ['control-plane', 'reconfigure'].reduce(
      (state, operation) => after(state, encrypted(), operation),
      built(plain),
    );
    expect(steps(half, encrypted())).toEqual(['encryption-key', 'verify']);
    const failed = after(half, encrypted(), 'encryption-key', { status: 'failed' });
    expect(steps(failed, encrypted())).toEqual(['encryption-key', 'verify']);
    expect(steps(after(failed, encrypted(), 'encryption-key'), encrypted())).toEqual([]);
  });

  test('is brought before another control plane joins, which would write with it at once', () => {
    expect(plan(built(plain), encrypted({}, more)).refused).toEqual([
      expect.stringContaining('bring encryption first, without cp4'),
    ]);
    expect(plan(built(encrypted()), encrypted({}, more)).refused).toEqual([]);
  });
});

describe('encryption of Secrets that is there', () => {
  test('needs no step where it was there from the beginning', () => {
    expect(steps(built(encrypted()), encrypted())).toEqual([]);
  });

  test('gets another way, or a key of another place, by the phase that stores Secrets anew', () => {
    for (const other of [encrypted({ provider: 'aescbc' }), encrypted({ env: 'OTHER_KEY' })]) {
      expect(plan(built(encrypted()), other).refused).toEqual([]);
      expect(steps(built(encrypted()), other)).toEqual(['encryption-key', 'verify']);
    }
  });

  test('gets another key before another control plane joins, which would write with it at once', () => {
    expect(plan(built(encrypted()), encrypted({ env: 'OTHER_KEY' }, more)).refused).toEqual([
      expect.stringContaining('bring the key first, without cp4'),
    ]);
  });

  test('gets another key before control planes are looked at, which are refused with the old one', () => {
    const failed = after(built(encrypted()), encrypted(), 'control-plane', { status: 'failed' });
    const other = encrypted({ provider: 'aescbc' });
    expect(steps(failed, other)).toEqual(['encryption-key', 'control-plane', 'verify']);
  });

  test('is left only once nothing is stored under a key, by the bundle that still knows of it', () => {
    expect(plan(built(encrypted()), plain).refused).toEqual([]);
    expect(steps(built(encrypted()), plain)).toEqual([
      'encryption-off (applied)',
      'control-plane',
      'reconfigure',
    ]);
  });

  test('is left only so after a machine does something besides, which is then a part of what is applied', () => {
    const working = (of: Cluster): Cluster => ({
      ...of,
      machines: of.machines.map((each) =>
        each.name === 'cp1' ? { ...each, roles: [...each.roles, 'worker' as const] } : each,
      ),
    });
    const brought = (state: AppliedState, of: Cluster): AppliedState =>
      plan(state, of).steps.reduce(
        (before, { operation }) => (operation === 'verify' ? before : after(before, of, operation)),
        state,
      );
    const turned = brought(built(plain), working(plain));
    expect(turned.whole?.bundle).toBe(snapshot(working(plain)).bundle);
    expect(turned.members['cp1']?.roles).toContain('worker');
    expect(plan(turned, working(plain))).toMatchObject({ steps: [], unneeded: [] });
    const kept = brought(turned, working(encrypted()));
    expect(steps(kept, working(plain))[0]).toBe('encryption-off (applied)');
  });

  test('is left by all control planes, and not while one of them leaves or has left', () => {
    const refused = (applied: AppliedState): readonly string[] => plan(applied, plain).refused;
    const grown = built(encrypted({}, more));
    const why = expect.stringMatching(
      /^kubernetes\.encryption: encryption-off asks every .* cp4 is none/,
    ) as string;
    expect(refused(grown)).toEqual([why]);
    const { cp4: left, ...members } = grown.members;
    expect(left?.roles).toContain('control-plane');
    expect(refused({ ...grown, members })).toEqual([why]);
    expect(plan(grown, encrypted()).refused).toEqual([]);
  });

  test('is brought back where somebody began to leave it', () => {
    const begun = after(built(encrypted()), encrypted(), 'encryption-off');
    expect(steps(begun, encrypted())).toEqual(['encryption-key', 'verify']);
  });

  test('is done once it is left', () => {
    const left = ['control-plane', 'reconfigure'].reduce(
      (state, operation) => after(state, plain, operation),
      after(built(encrypted()), encrypted(), 'encryption-off'),
    );
    expect(steps(left, plain)).toEqual([]);
    expect(plan(left, plain).unneeded).toEqual([]);
    expect(steps(left, encrypted())).toEqual(['control-plane', 'reconfigure', 'encryption-key', 'verify']);
  });
});
