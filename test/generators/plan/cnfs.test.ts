import { describe, expect, test } from 'vitest';
import { pack } from '../../../generators/bundle.ts';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { planOf, type Plan } from '../../../generators/plan/plan.ts';
import { appliedAfter, nothingApplied, type AppliedState } from '../../../generators/plan/applied.ts';
import { effectOf } from '../../../generators/plan/effect.ts';
import { snapshotOf, type Snapshot } from '../../../generators/plan/snapshot.ts';
import { render } from '../../../generators/render.ts';
import { clusterWith, configMap, deployment } from '../../support/definitions/cnfs.ts';
import { templates } from '../../support/definitions/templates.ts';

const snapshot = (of: Cluster): Snapshot => snapshotOf(of, pack(of, render(of, templates)), 'now');

const after = (
  before: AppliedState,
  of: Cluster,
  {
    operation,
    targets = [],
    status = 'successful',
  }: { operation: string; targets?: string[]; status?: string },
): AppliedState => {
  const wanted = snapshot(of);
  const run = { operation, targets, brings: [], completes: '', check: false, limit: [], tagged: false };
  const effect = effectOf(run, wanted);
  if (effect === undefined) throw new Error(`${operation} has no effect`);
  return appliedAfter(
    before,
    { run: 'r', operation, targets, bundle: wanted.bundle, effect, status, recap: {} },
    wanted,
  );
};

const cnfs = (...entries: readonly string[]): Cluster =>
  clusterWith(
    `cnfs:${entries.length === 0 ? ' []' : ''}\n${entries.map((entry) => `  - { ${entry} }\n`).join('')}`,
    {
      'a.yaml': `${configMap('a')}---\n${deployment('a')}`,
      'a2.yaml': `${deployment('a')}---\n${configMap('new')}`,
      'b.yaml': deployment('b', { namespace: 'said' }),
    },
  );
const a = 'name: a, namespace: one, manifests: [a.yaml]';
const both = cnfs(a, 'name: b, namespace: two, manifests: [b.yaml]');
const having = (of: Cluster): AppliedState =>
  after(after(nothingApplied, of, { operation: 'instantiate' }), of, { operation: 'cnf-instantiate' });

const short = ({ steps }: Plan): string[] =>
  steps.map(({ operation, targets, danger, confirm }) =>
    [operation, ...targets, ...(danger === 'none' ? [] : [`(${danger}: ${confirm})`])].join(' '),
  );
const plan = (applied: AppliedState, of: Cluster): Plan => planOf({ applied, wanted: snapshot(of) });

describe('a plan', () => {
  test('brings CNFs after their cluster, with what is moved', () => {
    const first = plan(nothingApplied, both);
    expect(short(first)).toEqual(['instantiate', 'cnf-instantiate a b']);
    expect(first.steps[1]?.reasons).toEqual([
      'a is wanted in one and not there',
      'b is wanted in two and not there',
      'b: Deployment b (b.yaml:1:1) says said, and goes to two',
    ]);
  });

  test('of what is applied is empty', () => {
    expect(plan(having(both), both)).toMatchObject({ steps: [], refused: [], unneeded: [] });
  });

  test('takes away what is no longer wanted, and brings what is new', () => {
    expect(short(plan(having(cnfs(a)), cnfs('name: b, manifests: [b.yaml]')))).toEqual([
      'cnf-terminate a (remove: a)',
      'cnf-instantiate b',
    ]);
    expect(short(plan(having(both), cnfs()))).toEqual([
      'cnf-terminate a (remove: a)',
      'cnf-terminate b (remove: b)',
    ]);
  });

  test('ends a CNF and begins it again where another tenant gets it, since no update does that', () => {
    const other = cnfs(`${a}, tenant: { serviceAccount: other }`);
    const moved = plan(having(cnfs(a)), other);
    expect(short(moved)).toEqual(['cnf-terminate a (remove: a)', 'cnf-instantiate a']);
    expect(moved.steps[0]?.reasons).toEqual([
      'a: the tenant a becomes other, and no update gives a CNF to another: it ends under the one and begins under the other',
    ]);
    const { serviceAccount, ...older } = having(cnfs(a)).cnfs?.['a'] ?? { serviceAccount: '' };
    expect(serviceAccount).toBe('a');
    const unknown = { ...having(cnfs(a)), cnfs: { a: older } } as AppliedState;
    expect(short(plan(unknown, other))).toEqual(['cnf-update a']);
  });

  test('asks for CNFs again after etcd was restored', () => {
    const restored = after(having(both), both, { operation: 'restore' });
    expect(short(plan(restored, both)).slice(-2)).toEqual(['cnf-update a', 'cnf-update b']);
    expect(plan(restored, both).steps.at(-1)?.reasons).toEqual([
      'b: etcd was restored, or that was begun: a snapshot may lack what was applied for it',
      expect.stringContaining('goes to two'),
    ]);
    const again = ['a', 'b'].reduce(
      (state, name) => after(state, both, { operation: 'cnf-update', targets: [name] }),
      restored,
    );
    expect(short(plan(again, both)).filter((step) => step.startsWith('cnf'))).toEqual([]);
  });

  test('shows what an update deletes, and asks for its name', () => {
    const changed = plan(having(cnfs(a)), cnfs(a.replace('a.yaml', 'a2.yaml')));
    expect(short(changed)).toEqual(['cnf-update a (remove: a)']);
    expect(changed.steps[0]?.reasons).toEqual([
      'a: what is applied for it has changed',
      'a: ConfigMap new is new',
      'a: ConfigMap a is no longer in it, and is deleted',
    ]);
    expect(short(plan(having(cnfs(a)), cnfs(`${a}, quota: { pods: "3" }`)))).toEqual(['cnf-update a']);
  });

  test('moves to another namespace by an end and a beginning', () => {
    const moved = plan(having(cnfs(a)), cnfs(a.replace('one', 'other')));
    expect(short(moved)).toEqual(['cnf-terminate a (remove: a)', 'cnf-instantiate a']);
    expect(moved.steps[0]?.reasons[0]).toContain('the namespace one becomes other');
  });

  test('goes on with what did not end', () => {
    const cluster = after(nothingApplied, cnfs(a), { operation: 'instantiate' });
    const begun = after(cluster, cnfs(a), { operation: 'cnf-instantiate', status: 'failed' });
    expect(short(plan(begun, cnfs(a)))).toEqual(['cnf-instantiate a']);
    const updated = after(having(cnfs(a)), cnfs(a), {
      operation: 'cnf-update',
      targets: ['a'],
      status: 'failed',
    });
    expect(short(plan(updated, cnfs(a)))).toEqual(['cnf-update a']);
    const kept = after(having(cnfs(a)), cnfs(a), {
      operation: 'cnf-terminate',
      targets: ['a'],
      status: 'failed',
    });
    expect(short(plan(kept, cnfs()))).toEqual(['cnf-terminate a (remove: a)']);
  });

  test('is refused where the key went with the last of them', () => {
    const refused = plan(having(cnfs(a)), clusterWith('', {}));
    expect(refused.refused.join()).toContain('write `cnfs: []`');
    expect(refused.steps).toEqual([]);
  });

  test('knows that nothing of them outlives the cluster', () => {
    expect(after(having(both), both, { operation: 'heal-cluster' }).cnfs).toEqual({});
  });

  test('tells the load balancer of node ports that the cluster gives', () => {
    const host = `hosts:\n  - { name: elb01, address: 198.51.100.11, ssh: { hostKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDzwNTPVr6c9OMaqOA85XIpKVDivvMvtpBo+JU2H5REO } }\nexternalLoadBalancer: { hosts: [elb01] }\n`;
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { type: NodePort, ports: [{ port: 80 }] }\n';
    const of = clusterWith(
      `${host}cnfs:\n  - { name: web, namespace: one, manifests: [s.yaml], publish: [{ service: web, port: 80 }] }\n`,
      { 's.yaml': service },
    );
    const steps = short(plan(after(nothingApplied, of, { operation: 'instantiate' }), of));
    expect(steps).toEqual(['cnf-instantiate web', 'external-load-balancer']);
  });

  test('of a hundred CNFs in a hundred namespaces is one step for all', () => {
    const names = Array.from({ length: 100 }, (_, index) => `cnf-${index}`);
    const many = cnfs(...names.map((name) => `name: ${name}, namespace: space-${name}, manifests: [a.yaml]`));
    const wanted = snapshot(many);
    const { steps } = planOf({ applied: nothingApplied, wanted });
    expect(steps[1]?.targets).toHaveLength(100);
  });

  test('holds nothing of the manifests, which may be secret', () => {
    const secret = clusterWith('cnfs:\n  - { name: a, namespace: one, manifests: [a.yaml] }\n', {
      'a.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: { name: a }\nstringData: { word: open-sesame }\n',
    });
    expect(JSON.stringify(having(secret))).not.toContain('open-sesame');
    expect(JSON.stringify(snapshot(secret))).not.toContain('open-sesame');
  });
});
