import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { bring, cloud, made, withWorkload } from './workload-support.ts';

// Many small programs are started, one after the other.
vi.setConfig({ testTimeout: 120_000 });

describe('waiting', () => {
  const why = [
    ...['master', 'worker'].map(
      (role) => `node group default-${role} is CREATE_FAILED: MachineDeployment has 0 of 2 replicas`,
    ),
    'server kube-demo-worker-1 is in ERROR: No valid host was found.',
    'load balancer k8s-clusterapi-cluster-magnum-system-kube-demo-kubeapi is ERROR',
    'Cluster API: Cluster/kube-demo: NotAvailable 16s * InfrastructureReady: OpenStackCluster status.initialization.provisioned is false * WorkersAvailable: * MachineDeployment kube-demo-default-worker: 0 available replicas',
    'Cluster API: ControlPlane - KubeadmControlPlane/kube-demo-y: NotAvailable 15s Control plane not yet initialized',
  ];

  test('a cluster that fails says what failed in it', () => {
    const there = cloud();
    there.trouble({ fails: 'quota of cores is exceeded' });
    there.image('kube-30');
    there.act(bring('template', 'small'));
    there.act(bring('controlPlanes', 'demo'));
    expect(there.end({ wanted: { groups: { 'default-master': 1 } } })).toMatchObject({
      state: 'failed',
      why: ['it is CREATE_FAILED', 'status_reason: quota of cores is exceeded', ...why],
    });
    expect(there.look()['problems']).toEqual([
      'demo is CREATE_FAILED: quota of cores is exceeded. A cluster that failed to be made is not mended: osa-workload-status says why, osa-workload-delete takes it away',
    ]);
  });

  test('one that Magnum would leave in progress for ever is late, with the same reasons', () => {
    const there = cloud();
    there.trouble({ stuck: true });
    there.image('kube-30');
    there.act(bring('template', 'small'));
    there.act(bring('controlPlanes', 'demo'));
    expect(there.wait({ wanted: { groups: { 'default-master': 1 } } })).toMatchObject({
      state: 'running',
      why: [],
    });
    expect(there.wait({ wanted: { groups: { 'default-master': 1 } }, minutes: 0 })).toMatchObject({
      state: 'late',
      why: ['it is CREATE_IN_PROGRESS', ...why.map((each) => each.replace('_FAILED', '_IN_PROGRESS'))],
    });
  });

  test('a control plane that says nothing takes no other reason away', () => {
    const there = cloud();
    there.trouble({ fails: 'quota of cores is exceeded' });
    there.image('kube-30');
    there.act(bring('template', 'small'));
    there.act(bring('controlPlanes', 'demo'));
    writeFileSync(join(there.root, 'bin/ansible'), '#!/bin/sh\nexec sleep 60\n');
    expect(there.end({ wanted: { groups: { 'default-master': 1 } } })).toMatchObject({
      state: 'failed',
      why: [
        ...['it is CREATE_FAILED', 'status_reason: quota of cores is exceeded', ...why.slice(0, 4)],
        expect.stringMatching(/^\(not known: .* timed out after 5 seconds\)$/) as string,
      ],
    });
  });

  test('an old COMPLETE is not the end of a new request', () => {
    const there = made();
    expect(there.wait({ wanted: { groups: { 'default-worker': 3 } } })['state']).toBe('running');
  });

  test('an old FAILED is not the end of a new request, nor in the way of one', () => {
    const there = made();
    there.trouble({ fails: 'no quota for a volume' });
    const more = withWorkload({ 'workers: 2': 'workers: 5' });
    const { before } = there.act(bring('workers', 'demo'), more);
    expect(before).toBe('1');
    const wanted = { groups: { 'default-worker': 5 } };
    expect(there.end({ wanted, before })['state']).toBe('failed');
    expect(there.wait({})['state']).toBe('ended');
    there.trouble({ stuck: true });
    const again = there.act(bring('workers', 'demo'), more);
    expect(again).toMatchObject({ changed: ['resize workers to 5'], before: '2' });
    expect(there.wait({ wanted, before: again['before'] })['state']).toBe('running');
  });

  test('what cannot be asked is a reason, not a crash', () => {
    const there = cloud();
    const text = withWorkload({ 'client: deploy-host': 'client: utility' });
    expect(there.program('workload', text, { action: 'look', directory: '/nowhere' })).toMatchObject({
      problems: [expect.stringContaining('/nowhere/openstack_inventory.json') as string],
    });
    expect(there.program('workload', text, { action: 'look' })).toMatchObject({
      problems: [],
      todo: { 'cluster demo': ['create'] },
    });
  });
});
