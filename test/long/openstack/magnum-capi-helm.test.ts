import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chartsRepository, openStackClusterChart } from '../../support/cluster-api/charts.ts';
import { until } from '../../support/hosts/lab.ts';
import { magnumLab, type MagnumLab } from '../../support/hosts/openstack/magnum-lab.ts';
import { openStackPackages } from '../../support/openstack/packages.ts';

const charts = '0.22.0';
const repository = chartsRepository(charts);
const packages = repository === '' ? undefined : openStackPackages('magnum');
const why =
  packages === undefined
    ? `: PLAYSMITH_CAPI_HELM_CHARTS names no git repository that has ${charts}`
    : packages.ok
      ? ''
      : ` (not here: ${packages.failure})`;

// Each run asks OpenStack's client some thirty times, which takes seconds each.
describe.skipIf(packages?.ok !== true)(
  `workload clusters of a real Magnum by magnum-capi-helm${why}`,
  { timeout: 3_600_000 },
  () => {
    let lab: MagnumLab | undefined;
    let there: MagnumLab;
    let openstack: MagnumLab['magnum']['openstack']['openstack'];

    beforeAll(async () => {
      if (packages?.ok !== true) return;
      lab = await magnumLab('azimuth', packages.value, (folder) => ({
        capi_helm: {
          ...{ helm_chart_repo: '', default_helm_chart_version: charts },
          helm_chart_name: openStackClusterChart(repository, charts, folder),
          // Nothing boots, so no etcd of a machine answers.
          k8s_control_plane_resource_conditions: 'MachinesReady,Available',
        },
      }));
      there = lab;
      ({ openstack } = there.magnum.openstack);
      await openstack('network', 'create', 'public', '--external', '--share');
    }, 2_400_000);

    afterAll(() => lab?.close());

    const define = (cluster = '', image = 'kube-30'): Promise<void> =>
      there.define('{ name: infra1, address: 172.29.236.11 }', definitionOf(cluster, image));

    const clusters = (): Promise<string> =>
      there.magnum.kubernetes.kubectl('get', 'clusters', '--all-namespaces', '--output=name');

    test('an image says its driver and its version, and the template says them again', async () => {
      await define();
      await there.well('osa-workload-clusters');
      const image = JSON.parse(await openstack('image', 'show', 'kube-30', '-f', 'json')) as Json;
      expect(image['properties']).toMatchObject({
        magnum_driver: 'k8s_capi_helm_v1',
        kube_version: 'v1.34.2',
      });
      expect(there.changed(await there.well('osa-workload-clusters'))).toBe(0);
    });

    test('a cluster is a release of the chart, and its status says what it waits for', async () => {
      await define('workers: 2');
      const making = there.run('osa-workload-clusters');
      await until('Cluster API has it', async () => (await clusters()) !== '', 300);
      await there.project.done('cancel');
      await making;
      const told = await there.well('osa-workload-status');
      expect(told.stdout).toContain('demo: it is CREATE_IN_PROGRESS');
      expect(told.stdout).toContain('Cluster API: Cluster/demo-');
      there.magnum.provider.working = true;
      expect(there.changed(await there.well('osa-workload-clusters'))).toBe(0);
      expect(await there.shown('cluster', 'show', 'demo')).toMatchObject({
        ...{ status: 'CREATE_COMPLETE', master_count: 1, node_count: 2, coe_version: 'v1.34.2' },
      });
    });

    test('workers are resized, and a group of them is made beside them', async () => {
      await define('workers: 3');
      await there.settles(1, 'osa-workload-clusters');
      await define('workers: 3, nodeGroups: [{ name: large, workers: 2 }]');
      await there.settles(1, 'osa-workload-clusters');
      expect(await there.groups()).toEqual({ 'default-master': 1, 'default-worker': 3, large: 2 });
    });

    test('what a cluster takes only when it is made is refused', async () => {
      await define('workers: 3, labels: { boot_volume_size: 40 }');
      await there.refused(
        ['osa-workload-clusters'],
        'demo cannot get another the label boot_volume_size (20 there)',
      );
    });

    test('an upgrade is no success when Magnum calls it complete before a control plane was replaced', async () => {
      await define('workers: 3, minutes: 5, nodeGroups: [{ name: large, workers: 2 }]', 'kube-31');
      await there.well('osa-workload-clusters');
      expect(await there.upgrading()).toEqual(['v1.35.4']);
      const complete = async (): Promise<boolean> =>
        (await there.shown('cluster', 'show', 'demo'))['status'] === 'UPDATE_COMPLETE';
      await until('Magnum calls it complete', complete, 300);
      const late = 'control planes have v1.34.2, not yet v1.35.4';
      const told = await there.well('osa-workload-status');
      expect(told.stdout).toContain(`demo: it is UPDATE_COMPLETE; ${late}`);
      const words = [
        'osa-workload-upgrade',
        '--set',
        'osa_workload_upgrade_name=demo',
        '--confirm',
        'cloud-a',
      ];
      await there.refused(words, late);
    });

    test('a cluster is deleted when it is named, and leaves nothing behind', async () => {
      await define();
      const words = ['--set', 'osa_workload_delete_name=demo', '--confirm', 'cloud-a'];
      await there.settles(1, 'osa-workload-delete', ...words);
      expect(await openstack('coe', 'cluster', 'list', '-f', 'value')).toBe('');
      expect(await clusters()).toBe('');
    });
  },
);

type Json = Readonly<Record<string, unknown>>;

/** The one cluster, in YAML; none when left out. */
const definitionOf = (cluster: string, image: string): string =>
  `magnum: { driver: azimuth }
workloadClusters:
  client: deploy-host
  flavors: [{ name: m1.medium, cpus: 2, memory: 4096, disk: 40 }]
  images:
    - { name: kube-30, kubernetes: v1.34.2, from: { file: /srv/kube-30.qcow2 } }
    - { name: kube-31, kubernetes: v1.35.4, from: { file: /srv/kube-31.qcow2 } }
  templates:
    - { name: small, image: ${image}, externalNetwork: public, flavor: m1.medium, labels: { boot_volume_size: 20 } }
`.concat(cluster === '' ? '' : `  clusters: [{ name: demo, template: small, ${cluster} }]\n`);
