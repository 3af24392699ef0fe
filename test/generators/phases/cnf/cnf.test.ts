import { readFileSync } from 'node:fs';
import { load as parse } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { cnfProblems } from '../../../../generators/operations/cnf.ts';
import { pack } from '../../../../generators/bundle.ts';
import { load } from '../../../../generators/load.ts';
import { render } from '../../../../generators/render.ts';
import { showProblems } from '../../../../generators/source/problems.ts';
import { phasesOf } from '../../../../generators/playbooks.ts';
import {
  clusterWith,
  cnfOf,
  configMap,
  deployment,
  fakeCluster,
  filesOf,
  webCluster,
} from '../../../support/definitions/cnfs.ts';
import { breaches } from '../../../support/rules/invariants.ts';
import { templates } from '../../../support/definitions/templates.ts';

const scaling = ', scaling: [{ aspect: web, kind: Deployment, name: web, step: 2, minimum: 1, maximum: 6 }]';
const first = `${configMap('settings')}---\n${configMap('old')}---\n${deployment('web')}`;
const web = webCluster(first, scaling);
const second = webCluster(
  `${configMap('settings', 'two')}---\n${deployment('web', { replicas: 1 })}`,
  scaling,
);
const broken = (more = ''): typeof web =>
  webCluster(deployment('web', { image: 'missing' }), `, wait: { timeout: 1s }${more}`);

describe('the playbooks about CNFs', () => {
  const { files } = pack(web, render(web, templates));

  test('keep the house rules', () => {
    expect(breaches(files)).toEqual([]);
  });

  test('are there only where the definition has CNFs, if none', () => {
    const names = (cnfs: string): readonly string[] =>
      phasesOf(clusterWith(cnfs, {}))
        .map(({ name }) => name)
        .filter((name) => name.startsWith('cnf-'));
    expect(names('')).toEqual([]);
    expect(names('cnfs: []\n')).toHaveLength(7);
  });

  test('are there with kubespray as well, and keep the house rules', () => {
    const text = `${readFileSync('examples/kubespray.yml', 'utf8')}cnfs:\n  - { name: web, namespace: tenant-a, manifests: [web.yaml] }\n`;
    const loaded = load(text, 'cluster.yml', filesOf({ 'web.yaml': first }));
    if (!loaded.ok) throw new Error(showProblems(loaded.failure, text));
    const packed = pack(loaded.value.cluster, render(loaded.value.cluster, templates)).files;
    expect(breaches(packed)).toEqual([]);
    expect(packed.filter(({ path }) => /^cnf-[a-z]+\.yml$/.test(path))).toHaveLength(7);
  });

  test('come with what the user gave, byte for byte, and its digest in the manifest', () => {
    const path = 'files/cnf/web/given/01-web.yaml';
    expect(files.find((file) => file.path === path)?.text).toBe(first);
    expect(files.at(-1)?.text).toContain(`"path": "${path}"`);
  });
});

describe('cnf-instantiate', () => {
  const fake = fakeCluster();

  test('says in check mode what it would make, and makes nothing', () => {
    const looked = fake.run(web, 'instantiate', 'web', 'look');
    expect(looked.told).toContain('web: would make Deployment web');
    expect(fake.there()).toEqual([]);
  });

  test('makes the namespace, the tenant and, as the tenant, the rest', () => {
    const done = fake.run(web, 'instantiate', 'web', 'act');
    expect(done.said).toBe('');
    expect(done.told[0]).toBe('web: ready in tenant-a as revision 1');
    expect(fake.there()).toEqual([
      'ConfigMap tenant-a/old',
      'ConfigMap tenant-a/settings',
      'Deployment tenant-a/web',
      'Namespace /tenant-a',
      'RoleBinding tenant-a/cnf-web-admin',
      'ServiceAccount tenant-a/web',
    ]);
    const applied = fake.asked().filter((line) => line.includes(' apply ') && !line.includes('admin.conf'));
    expect(applied).toHaveLength(1);
    expect(fake.left()).toEqual([]);
  });

  test('changes nothing the second time', () => {
    expect(fake.run(web, 'instantiate', 'web', 'act')).toMatchObject({ status: 0, changed: [] });
  });

  test('refuses other manifests and another namespace, which are an update and a move', () => {
    expect(fake.run(second, 'instantiate', 'web', 'act').said).toContain('npx task cnf-update web');
    const moved = clusterWith('cnfs:\n  - { name: web, namespace: tenant-b, manifests: [web.yaml] }\n', {
      'web.yaml': first,
    });
    const refused = fake.run(moved, 'instantiate', 'web', 'act');
    expect(refused.status).toBe(1);
    expect(refused.said).toContain(
      'it lives in the namespace tenant-a since it was instantiated, and the definition says tenant-b',
    );
  });

  test('says why it does not get ready, and goes on when the cause is gone', () => {
    const other = fakeCluster();
    other.events({
      apiVersion: 'v1',
      kind: 'Event',
      type: 'Warning',
      reason: 'Failed',
      message: 'exceeded quota: pods',
      metadata: { name: 'e', namespace: 'tenant-a' },
      involvedObject: { kind: 'Deployment', name: 'web' },
    });
    const failed = other.run(broken(), 'instantiate', 'web', 'act');
    expect(failed.status).toBe(1);
    expect(failed.said).toContain('web: not ready after 1 s');
    expect(failed.said).toContain('Deployment web in tenant-a: 0 of 2 replicas are available');
    expect(failed.said).toContain('pod web-0 on worker1: container main: ImagePullBackOff not found');
    expect(failed.said).toContain('event Failed of Deployment web: exceeded quota: pods');
    expect(other.left()).toEqual([]);
    expect(other.run(web, 'instantiate', 'web', 'act').told[0]).toBe('web: ready in tenant-a as revision 1');
  });

  test('names a claim that is not bound', () => {
    const claim =
      ', wait: { timeout: 1s }, persistentVolumeClaims: [{ name: unbound, storage: 1Gi, accessModes: [ReadWriteOnce] }]';
    const failed = fakeCluster().run(webCluster(configMap('a'), claim), 'instantiate', 'web', 'act');
    expect(failed.said).toContain('PersistentVolumeClaim unbound in tenant-a: it is Pending');
  });
});

describe('cnf-scale', () => {
  const fake = fakeCluster();
  fake.run(web, 'instantiate', 'web', 'act');
  const scale = (how: string, number: string, mode = 'act') =>
    fake.run(web, 'scale', 'web', mode, 'web', how, number);
  const replicas = () => fake.thing('Deployment', 'web')?.spec?.['replicas'];

  test('goes out, in and to a level, by steps', () => {
    expect(scale('out', '1', 'look').told).toEqual(['web: Deployment web has 2 replicas, and would have 4']);
    expect(replicas()).toBe(2);
    expect(scale('out', '1').changed).toEqual(['changed Deployment web']);
    expect(replicas()).toBe(4);
    scale('in', '1');
    expect(replicas()).toBe(2);
    scale('level', '1');
    expect(replicas()).toBe(3);
    expect(scale('level', '1').changed).toEqual([]);
  });

  test('stays within its bounds', () => {
    expect(scale('out', '2').said).toContain(
      'has 3 replicas and would have 7; the aspect web goes from 1 to 6 by 2',
    );
    expect(scale('in', '2').said).toContain('would have -1');
  });

  test('is not undone by another run of cnf-instantiate, nor by an update', () => {
    expect(fake.run(web, 'instantiate', 'web', 'act').changed).toEqual([]);
    fake.run(second, 'update', 'web', 'act', 'prune', 'as-defined');
    expect(replicas()).toBe(3);
  });

  test('needs a CNF that is there', () => {
    expect(fakeCluster().run(web, 'scale', 'web', 'act', 'web', 'out', '1').said).toContain(
      'it was never instantiated',
    );
  });
});

describe('cnf-update', () => {
  test('names what would be deleted, and changes nothing until that is confirmed', () => {
    const fake = fakeCluster();
    fake.run(web, 'instantiate', 'web', 'act');
    const before = fake.there();
    const refused = fake.run(second, 'update', 'web', 'act', 'keep', 'as-defined');
    expect(refused.said).toContain('would be deleted: ConfigMap old. Nothing was changed');
    expect(fake.there()).toEqual(before);
    expect(fake.run(second, 'update', 'web', 'look', 'keep', 'as-defined').told).toContain(
      'web: would have deleted ConfigMap old',
    );
    const done = fake.run(second, 'update', 'web', 'act', 'prune', 'as-defined');
    expect(done.changed).toEqual([
      'changed ConfigMap settings',
      'changed Deployment web',
      'deleted ConfigMap old',
    ]);
    expect(done.told[0]).toBe('web: ready in tenant-a as revision 2');
    expect(fake.run(second, 'update', 'web', 'act', 'keep', 'as-defined').changed).toEqual([]);
  });

  test('never deletes what is in the namespace and not of the CNF', () => {
    const fake = fakeCluster();
    fake.run(web, 'instantiate', 'web', 'act');
    fake.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'foreign', namespace: 'tenant-a' } });
    fake.run(second, 'update', 'web', 'act', 'prune', 'as-defined');
    expect(fake.there()).toContain('ConfigMap tenant-a/foreign');
  });

  test('goes back to the revision before where that is asked for, and says why', () => {
    const fake = fakeCluster();
    fake.run(web, 'instantiate', 'web', 'act');
    const failed = fake.run(broken(), 'update', 'web', 'act', 'prune', 'yes');
    expect(failed.status).toBe(1);
    expect(failed.said).toContain('ImagePullBackOff');
    expect(failed.said).toContain('revision 1 is back, and ready');
    expect(fake.there()).toContain('ConfigMap tenant-a/old');
    expect(fake.run(web, 'update', 'web', 'act', 'keep', 'no')).toMatchObject({ status: 0, changed: [] });
  });

  test('leaves what does not get ready as it is otherwise, for somebody to look at', () => {
    const fake = fakeCluster();
    fake.run(web, 'instantiate', 'web', 'act');
    const failed = fake.run(broken(', rollback: true'), 'update', 'web', 'act', 'prune', 'no');
    expect(failed.said).not.toContain('is back');
    expect(fake.run(web, 'status', 'web', 'look').told.join('\n')).toContain('Deployment web: 0 of 2');
  });

  test('takes away bounds that are no longer wanted', () => {
    const fake = fakeCluster();
    fake.run(webCluster(first, ', quota: { pods: "9" }'), 'instantiate', 'web', 'act');
    expect(fake.there()).toContain('ResourceQuota tenant-a/cnf-web');
    fake.run(webCluster(first), 'update', 'web', 'act', 'prune', 'no');
    expect(fake.there()).not.toContain('ResourceQuota tenant-a/cnf-web');
  });
});

describe('cnf-heal', () => {
  const fake = fakeCluster();
  fake.run(web, 'instantiate', 'web', 'act');

  test('makes named pods anew, and knows those that are gone', () => {
    const done = fake.run(web, 'heal', 'web', 'act', 'web-0,web-9');
    expect(done.changed).toEqual(['deleted Pod web-0']);
    expect(done.told).toContain('web: pod web-9 is gone already');
  });

  test('refuses pods of somebody else', () => {
    fake.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'foreign', namespace: 'tenant-a', uid: 'f' },
      status: {},
    });
    expect(fake.run(web, 'heal', 'web', 'act', 'foreign').said).toContain(
      'foreign: no pods of this CNF, which has web-0, web-1',
    );
  });

  test('makes all workloads anew, and leaves the rest', () => {
    expect(fake.run(web, 'heal', 'web', 'act', '').changed).toEqual([
      'deleted Deployment web',
      'made Deployment web',
    ]);
    expect(fake.there()).toContain('ConfigMap tenant-a/settings');
  });
});

describe('cnf-terminate', () => {
  test('takes everything away that it made, by the record alone', () => {
    const fake = fakeCluster();
    fake.run(web, 'instantiate', 'web', 'act');
    const none = clusterWith('cnfs: []\n', {});
    expect(fake.run(none, 'terminate', 'web', 'look').told).toContain('web: would delete Deployment web');
    const done = fake.run(none, 'terminate', 'web', 'act');
    expect(done.said).toBe('');
    expect(done.changed.slice(0, 2)).toEqual(['deleted Deployment web', 'deleted ConfigMap old']);
    expect(fake.there()).toEqual([]);
    expect(fake.run(none, 'terminate', 'web', 'act')).toMatchObject({ status: 0, changed: [] });
  });

  test('leaves a namespace that somebody else made, or in which another CNF lives', () => {
    const fake = fakeCluster();
    fake.put({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'tenant-a' },
      status: { phase: 'Active' },
    });
    fake.put({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default', namespace: 'tenant-a' },
    });
    fake.run(web, 'instantiate', 'web', 'act');
    fake.run(web, 'terminate', 'web', 'act');
    expect(fake.there()).toEqual(['Namespace /tenant-a']);
    const both = clusterWith(
      'cnfs:\n  - { name: a, namespace: shared, manifests: [a.yaml] }\n  - { name: b, namespace: shared, manifests: [b.yaml] }\n',
      { 'a.yaml': configMap('a'), 'b.yaml': configMap('b') },
    );
    const two = fakeCluster();
    for (const name of ['a', 'b']) two.run(both, 'instantiate', name, 'act');
    two.run(both, 'terminate', 'a', 'act');
    expect(two.there()).toContain('ConfigMap shared/b');
    expect(two.there()).not.toContain('ConfigMap shared/a');
    two.run(both, 'terminate', 'b', 'act');
    expect(two.there()).toEqual([]);
  });
});

describe('cnf-kubeconfig', () => {
  const fake = fakeCluster();
  const ask = (mode = 'act') => fake.run(web, 'kubeconfig', 'web', mode, '8');

  test('needs a CNF that is there', () => {
    expect(ask()).toMatchObject({ status: 1, kubeconfig: '' });
    expect(ask().said).toContain('it was never instantiated');
  });

  test('is of the tenant, in the namespace that is recorded, and ends', () => {
    fake.run(web, 'instantiate', 'web', 'act');
    const { told, kubeconfig } = ask();
    expect(told).toEqual(['web: ServiceAccount web in tenant-a, good until in 28800 s']);
    expect(JSON.parse(kubeconfig)).toMatchObject({
      clusters: [{ name: 'kubernetes', cluster: { server: 'https://127.0.0.1:6443' } }],
      users: [{ name: 'web', user: { token: 'tenant-a' } }],
      contexts: [{ context: { cluster: 'kubernetes', user: 'web', namespace: 'tenant-a' } }],
      'current-context': 'tenant-a',
    });
    expect(told.join()).not.toContain('"token"');
  });

  test('is not made in check mode', () => {
    const before = fake.asked().length;
    expect(ask('look')).toMatchObject({ status: 0, kubeconfig: '' });
    expect(fake.asked().slice(before).join()).not.toContain('create');
  });

  test('of a CNF that is no longer in the definition can still be had', () => {
    expect(
      cnfProblems(clusterWith('cnfs: []\n', {}), 'cnf-kubeconfig', ['cnf_kubeconfig_names=web']),
    ).toEqual([]);
  });
});

describe('the round trips of a CNF', () => {
  const here = ['ansible.builtin.assert', 'ansible.builtin.debug', 'ansible.builtin.group_by'];

  test('are one, after the guard', () => {
    const files = render(web, templates);
    for (const name of ['instantiate', 'scale', 'heal', 'update', 'terminate', 'status']) {
      const plays = parse(files.find(({ path }) => path === `cnf-${name}.yml`)?.text ?? '') as readonly {
        readonly tasks?: readonly Readonly<Record<string, unknown>>[];
      }[];
      const remote = plays
        .flatMap(({ tasks = [] }) => tasks)
        .filter((task) => !here.some((module) => module in task));
      expect(remote.map((task) => 'loop' in task)).toEqual([true]);
    }
    expect(files.find(({ path }) => path === 'ansible.cfg')?.text).toContain('pipelining = True');
  });
});

describe('cnf-status', () => {
  test('tells where it lives, and how it is', () => {
    const fake = fakeCluster();
    expect(fake.run(web, 'status', 'web', 'look').told).toEqual(['web: not instantiated']);
    fake.run(web, 'instantiate', 'web', 'act');
    expect(fake.run(web, 'status', 'web', 'look').told).toEqual([
      'web: revision 1 in the namespace tenant-a, as the tenant web',
      'web: Deployment web: 2 of 2',
    ]);
  });
});

test('two tenants do not reach each other', () => {
  const both = clusterWith(
    'cnfs:\n  - { name: a, namespace: one, manifests: [a.yaml] }\n  - { name: b, namespace: two, manifests: [b.yaml] }\n',
    { 'a.yaml': configMap('a'), 'b.yaml': configMap('b') },
  );
  const fake = fakeCluster();
  for (const name of ['a', 'b']) expect(fake.run(both, 'instantiate', name, 'act').said).toBe('');
  expect(fake.there()).toContain('ConfigMap one/a');
  expect(cnfOf(both).serviceAccount).toBe('a');
});
