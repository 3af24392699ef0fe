import { describe, expect, test, vi } from 'vitest';
import { bring, cloud, made, withWorkload } from './workload-support.ts';

// Many small programs are started, one after the other.
vi.setConfig({ testTimeout: 120_000 });

describe('waiting', () => {
  const why = [
    'node group default-worker is CREATE_FAILED: MachineDeployment has 0 of 2 replicas',
    'server kube-demo-worker-1 is in ERROR: No valid host was found.',
    'load balancer k8s-clusterapi-cluster-magnum-system-kube-demo-kubeapi is ERROR',
    'Cluster API: |-Machine/kube-demo-x False Error InstanceCreateFailed 2m',
  ];

  test('a cluster that fails says what failed in it', () => {
    const there = cloud();
    there.trouble({ fails: 'quota of cores is exceeded' });
    there.image('kube-30');
    there.act(bring('template', 'small'));
    there.act(bring('controlPlanes', 'demo'));
    expect(there.end({ wanted: { master_count: 1 } })).toMatchObject({
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
    expect(there.wait({ wanted: { master_count: 1 } })).toMatchObject({ state: 'running', why: [] });
    expect(there.wait({ wanted: { master_count: 1 }, minutes: 0 })).toMatchObject({
      state: 'late',
      why: ['it is CREATE_IN_PROGRESS', ...why.map((each) => each.replace('_FAILED', '_IN_PROGRESS'))],
    });
  });

  test('an old COMPLETE is not the end of a new request', () => {
    const there = made();
    expect(there.wait({ wanted: { node_count: 3 } })['state']).toBe('running');
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
