import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { bring, cloud, made, withWorkload } from './workload-support.ts';

// Many small programs are started, one after the other.
vi.setConfig({ testTimeout: 120_000 });

const title = (there: ReturnType<typeof cloud>): string =>
  Object.keys(there.look()['todo'] as object)
    .find((each) => each.startsWith('template '))
    ?.slice('template '.length) ?? '';

describe('making clusters', () => {
  test('all that is missing is told, then made with words that Magnum takes', () => {
    const there = cloud();
    const name = title(there);
    expect(there.look()).toMatchObject({
      problems: [],
      todo: {
        'image kube-30': ['upload'],
        'image kube-31': ['upload'],
        [`template ${name}`]: ['create'],
        'cluster demo': ['create'],
      },
    });
    made(there);
    expect(there.requests()).toEqual([
      'image create kube-30 --disk-format qcow2 --container-format bare --public --property magnum_driver=k8s_cluster_api_ubuntu --property os_distro=ubuntu',
      'image create kube-31 --disk-format qcow2 --container-format bare --public --property magnum_driver=k8s_cluster_api_ubuntu --property os_distro=ubuntu',
      expect.stringMatching(
        new RegExp(
          `^coe cluster template create ${name} --image [\\d-]+ --coe kubernetes --master-lb-enabled --external-network public --network-driver calico --master-flavor m1.medium --flavor m1.medium --public --labels boot_volume_size=20 --labels kube_tag=v1.30.2$`,
        ),
      ),
      `coe cluster create demo --cluster-template ${name} --master-count 1 --node-count 2 --timeout 60 --keypair ops --labels availability_zone=az1 --merge-labels`,
    ]);
    expect(there.look()['todo']).toEqual({});
  });

  test('a second time nothing is asked of Magnum', () => {
    const there = made();
    const before = there.requests().length;
    expect(there.image('kube-30')).toMatchObject({ changed: [] });
    expect(there.act(bring('template', 'small'))).toMatchObject({ changed: [] });
    for (const kind of ['controlPlanes', 'workers'])
      expect(there.act(bring(kind, 'demo'))).toMatchObject({ changed: [], problems: [] });
    expect(there.requests()).toHaveLength(before);
  });

  test('an image whose sum is another one is not uploaded', () => {
    const sum = 'a'.repeat(64);
    const text = withWorkload({ 'kube-30.qcow2 } }': `kube-30.qcow2 }, sha256: "${sum}" }` });
    const there = cloud(text);
    expect(there.image('kube-30')['problems']).toEqual([
      expect.stringMatching(new RegExp(`kube-30.qcow2 has the sum [0-9a-f]{64}, not ${sum}$`)) as string,
    ]);
    expect(there.requests()).toEqual([]);
  });

  test('a page in place of an image is not uploaded', () => {
    const there = cloud();
    writeFileSync(join(there.root, 'srv/kube-30.qcow2'), '<!doctype html>');
    expect(there.image('kube-30')['problems']).toEqual([
      expect.stringMatching(/kube-30.qcow2 is no image in the format qcow2$/) as string,
    ]);
    expect(there.requests()).toEqual([]);
  });

  test('an image of another file has to be called something else', () => {
    const { root } = made();
    const text = withWorkload({ 'kube-30.qcow2 } }': `kube-30.qcow2 }, sha256: "${'b'.repeat(64)}" }` });
    const there = cloud(text);
    const state = {
      images: [{ uuid: 'i', name: 'kube-30', status: 'active', properties: { playsmith_sha256: 'c' } }],
      ...{ flavors: [], templates: [], clusters: [] },
    };
    writeFileSync(join(there.root, 'cloud.json'), JSON.stringify(state));
    expect(root).not.toBe(there.root);
    expect(there.look()['problems']).toEqual([
      'the image kube-30 there was made of another file: give the new one another name',
    ]);
  });
});

describe('flavors', () => {
  const own = (flavor: string): string =>
    withWorkload({ '  images:\n': `  flavors: [${flavor}]\n  images:\n` });
  const medium = own('{ name: m1.medium, cpus: 2, memory: 4096, disk: 40 }');

  test('are made where they lack, and stay as they are', () => {
    const there = cloud(medium);
    expect(there.look()['todo']).toMatchObject({ 'flavor m1.medium': ['create'] });
    expect(there.act(bring('flavor', 'm1.medium'))).toMatchObject({ changed: ['create'] });
    expect(there.requests()).toEqual(['flavor create m1.medium --vcpus 2 --ram 4096 --disk 40 --public']);
    expect(there.act(bring('flavor', 'm1.medium'))).toMatchObject({ changed: [] });
    const other = own('{ name: m1.medium, cpus: 4, memory: 4096, disk: 20 }');
    expect(there.look(other)['problems']).toEqual([
      'the flavor m1.medium there has 2 vcpus, not 4, 40 disk, not 20: give the new one another name',
    ]);
  });
});

describe('groups of workers', () => {
  const grouped = (group: string, more: Readonly<Record<string, string>> = {}): string =>
    withWorkload({ 'workers: 2': `workers: 2, nodeGroups: [${group}]`, ...more });
  const large = grouped('{ name: large, flavor: m1.large, workers: 3, labels: { boot_volume_size: 80 } }');

  test('are made beside those that are there, then resized', () => {
    const there = made();
    expect(there.look(large)['todo']).toEqual({ 'cluster demo': ['make group large'] });
    expect(there.act(bring('controlPlanes', 'demo'), large)).toMatchObject({ changed: [] });
    expect(there.act(bring('workers', 'demo'), large)).toMatchObject({ changed: ['make group large'] });
    expect(there.requests().at(-1)).toMatch(
      /^coe nodegroup create [\d-]+ large --node-count 3 --flavor m1.large --labels boot_volume_size=80 --merge-labels$/,
    );
    expect(there.end({ wanted: { groups: { 'default-worker': 2, large: 3 } } })).toMatchObject({
      state: 'ended',
      about: { node_count: 5 },
    });
    const smaller = grouped(
      '{ name: large, flavor: m1.large, workers: 1, labels: { boot_volume_size: 80 } }',
    );
    expect(there.act(bring('workers', 'demo'), smaller)).toMatchObject({
      changed: ['resize group large to 1'],
    });
    expect(there.requests().at(-1)).toMatch(/^coe cluster resize [\d-]+ 1 --nodegroup large$/);
  });

  test('are no reason to resize the workers of the cluster, whose number Magnum tells with theirs', () => {
    const there = made();
    there.act(bring('workers', 'demo'), large);
    there.end({ wanted: { groups: { large: 3 } } });
    expect(there.look(large)).toMatchObject({ problems: [], todo: {} });
    expect(there.look()).toMatchObject({ problems: [], todo: {} });
    expect(there.end({ wanted: { groups: { 'default-worker': 2 } } })['state']).toBe('ended');
  });

  test('get no other flavor', () => {
    const there = made();
    there.act(bring('workers', 'demo'), large);
    there.end({ wanted: { groups: { large: 3 } } });
    expect(there.look(grouped('{ name: large, flavor: m1.xlarge, workers: 3 }'))['problems']).toEqual([
      'the group large of demo cannot get another flavor (m1.large there): make another group beside it',
    ]);
  });
});

describe('changing clusters', () => {
  test('the number of workers is resized, and waited for', () => {
    const there = made();
    const more = withWorkload({ 'workers: 2': 'workers: 5' });
    expect(there.look(more)['todo']).toEqual({ 'cluster demo': ['resize workers to 5'] });
    expect(there.act(bring('controlPlanes', 'demo'), more)).toMatchObject({ changed: [] });
    expect(there.act(bring('workers', 'demo'), more)).toMatchObject({ changed: ['resize workers to 5'] });
    expect(there.end({ wanted: { groups: { 'default-worker': 5 } } })).toMatchObject({
      state: 'ended',
      about: { node_count: 5 },
    });
    expect(there.requests().at(-1)).toMatch(/^coe cluster resize [\d-]+ 5$/);
  });

  test('where the cluster scales itself its workers are left alone', () => {
    const itself = 'labels: { availability_zone: az1, auto_scaling_enabled: true }';
    const there = made(cloud(withWorkload({ 'labels: { availability_zone: az1 }': itself })));
    const more = withWorkload({ 'workers: 2': 'workers: 9', 'labels: { availability_zone: az1 }': itself });
    expect(there.look(more)['todo']).toEqual({});
  });

  test('what a cluster takes only when it is made is refused, with what is there', () => {
    const there = made();
    const other = withWorkload({
      'availability_zone: az1': 'availability_zone: az2',
      'keypair: ops': 'keypair: you',
    });
    expect(there.look(other)['problems']).toEqual([
      'demo cannot get another the label availability_zone (az1 there), keypair (ops there): make another cluster beside it',
    ]);
    const three = withWorkload({ 'workers: 2': 'controlPlanes: 3, workers: 2' });
    expect(there.look(three)['problems']).toEqual([
      'demo cannot get another controlPlanes (1 there; this driver changes workers alone): make another cluster beside it',
    ]);
  });

  test('an upgrade would not change flavors, so others are refused', () => {
    const larger = withWorkload({ 'flavor: m1.medium': 'flavor: m1.large, controlPlaneFlavor: m1.xlarge' });
    expect(made().look(larger)['problems']).toEqual([
      'demo cannot get another flavor (m1.medium there), controlPlaneFlavor (m1.medium there): make another cluster beside it',
    ]);
  });

  test('a cluster behind the proxy is not upgraded: the driver cannot reach it', () => {
    const hidden = { 'workers: 2': 'workers: 2, floatingAddress: disabled' };
    const proxied = (changes: Readonly<Record<string, string>> = {}): string =>
      `${withWorkload({ ...hidden, ...changes })}proxy: { hosts: compute_hosts }\n`;
    const there = made(cloud(proxied()));
    const newer = proxied({ 'image: kube-30': 'image: kube-31' });
    there.act(bring('template', 'small'), newer);
    expect(there.act({ action: 'upgrade', name: 'demo' }, newer)['problems']).toEqual([
      'demo has no floating address: through the proxy the driver cannot upgrade it',
    ]);
  });

  test('another image is another template, and an upgrade that is asked for by name', () => {
    const there = made();
    const newer = withWorkload({ 'image: kube-30': 'image: kube-31' });
    expect(there.look(newer)['todo']).toMatchObject({ 'cluster demo': ['upgrade to v1.31.1'] });
    there.act(bring('template', 'small'), newer);
    expect(there.act(bring('workers', 'demo'), newer)).toMatchObject({ changed: [], problems: [] });
    expect(there.act({ action: 'upgrade', name: 'demo' }, newer)).toMatchObject({
      changed: ['upgrade from v1.30.2 to v1.31.1'],
    });
    expect(there.end({ wanted: { kube_tag: 'v1.31.1' } })['state']).toBe('ended');
    expect(there.act({ action: 'upgrade', name: 'demo' }, newer)).toMatchObject({ changed: [] });
    expect(there.act({ action: 'upgrade', name: 'demo' })['problems']).toEqual([
      'demo has v1.31.1: Kubernetes goes up one minor version at a time, not to v1.30.2',
    ]);
  });

  test('two minor versions at once are refused', () => {
    const old = { 'v1.30.2': 'v1.29.5' };
    const there = made(cloud(withWorkload(old)));
    const far = withWorkload({ ...old, 'image: kube-30': 'image: kube-31' });
    expect(there.act({ action: 'upgrade', name: 'demo' }, far)['problems']).toEqual([
      'demo has v1.29.5: Kubernetes goes up one minor version at a time, not to v1.31.1',
    ]);
  });

  test('one that is gone from the definition is deleted once, and is gone afterwards', () => {
    const there = made();
    expect(there.act({ action: 'delete', name: 'demo' })).toMatchObject({ changed: ['delete'] });
    expect(there.act({ action: 'delete', name: 'demo' })).toMatchObject({ changed: [] });
    expect(there.end({ gone: true })['state']).toBe('ended');
    expect(there.act({ action: 'delete', name: 'demo' })).toMatchObject({ changed: [] });
  });
});
