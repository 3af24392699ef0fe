import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../support/hosts/lab.ts';
import { magnumLab, type MagnumLab } from '../../support/hosts/openstack/magnum-lab.ts';
import { openStackPackages } from '../../support/openstack/packages.ts';

const packages = openStackPackages('magnum');
const why = packages.ok ? '' : ` (not here: ${packages.failure})`;

describe.skipIf(!packages.ok)(`workload clusters of a real Magnum${why}`, { timeout: 3_600_000 }, () => {
  let lab: MagnumLab | undefined;
  let there: MagnumLab;
  let openstack: MagnumLab['magnum']['openstack']['openstack'];

  beforeAll(async () => {
    if (!packages.ok) return;
    lab = await magnumLab('magnum', packages.value);
    there = lab;
    ({ openstack } = there.magnum.openstack);
    await openstack('network', 'create', 'public', '--external', '--share');
    await openstack('keypair', 'create', 'operators', '--private-key', '/dev/null');
  }, 2_400_000);

  afterAll(() => lab?.close());

  const define = (workload: Workload): Promise<void> => there.define(carriers, definitionOf(workload));

  test('a network that Neutron does not have is refused in the words of Magnum', async () => {
    await define({ network: 'elsewhere' });
    await there.refused(['osa-workload-clusters'], 'Unable to find external network elsewhere');
  });

  test('flavors, images and a template are made once', async () => {
    await define({});
    await there.settles(1, 'osa-workload-clusters');
    const flavor = JSON.parse(await openstack('flavor', 'show', 'm1.medium', '-f', 'json')) as Json;
    expect(flavor).toMatchObject({ vcpus: 2, ram: 4096, disk: 40, 'os-flavor-access:is_public': true });
    const image = JSON.parse(await openstack('image', 'show', 'kube-30', '-f', 'json')) as Json;
    expect(image).toMatchObject({ status: 'active', visibility: 'public', disk_format: 'qcow2' });
  });

  test('a flavor with other numbers is refused', async () => {
    await define({ cpus: 4 });
    await there.refused(['osa-workload-clusters'], 'the flavor m1.medium there has 2 vcpus, not 4');
  });

  test('a cluster whose machines do not come stays in progress, and its status says why', async () => {
    await define({ cluster: 'workers: 2' });
    const making = there.run('osa-workload-clusters');
    await until(
      'Cluster API has it',
      async () =>
        (await there.magnum.kubernetes.kubectl('get', 'machinedeployments', '--all-namespaces')).includes(
          'default-worker',
        ),
      300,
    );
    await there.project.done('cancel');
    await making;
    const told = await there.well('osa-workload-status');
    expect(told.stdout).toContain('demo: it is CREATE_IN_PROGRESS');
    expect(told.stdout).toContain('OpenStackCluster status.initialization.provisioned is false');
    expect(told.stdout).toContain('node group default-worker is CREATE_IN_PROGRESS');
    there.magnum.provider.working = true;
    expect(there.changed(await there.well('osa-workload-clusters'))).toBe(0);
    expect(await there.shown('cluster', 'show', 'demo')).toMatchObject({
      ...{ status: 'CREATE_COMPLETE', keypair: 'operators', master_count: 1, node_count: 2 },
      labels: { kube_tag: 'v1.34.2', octavia_provider: 'amphora', boot_volume_size: '20' },
    });
  });

  test('workers are resized', async () => {
    await define({ cluster: 'workers: 3' });
    await there.settles(1, 'osa-workload-clusters');
    expect(await there.groups()).toEqual({ 'default-master': 1, 'default-worker': 3 });
  });

  test('a group of workers is made beside them and resized, and they stay as many', async () => {
    await define({ cluster: grouped(2) });
    await there.settles(1, 'osa-workload-clusters');
    await define({ cluster: grouped(1) });
    await there.settles(1, 'osa-workload-clusters');
    expect(await there.groups()).toEqual({ 'default-master': 1, 'default-worker': 3, large: 1 });
    expect(await there.shown('cluster', 'show', 'demo')).toMatchObject({ node_count: 4 });
  });

  test('what a cluster takes only when it is made is refused', async () => {
    await define({ cluster: 'workers: 3, labels: { boot_volume_size: 40 }' });
    await there.refused(
      ['osa-workload-clusters'],
      'demo cannot get another the label boot_volume_size (20 there)',
    );
  });

  test('an upgrade is asked of Cluster API, and stays in progress where no machine boots', async () => {
    await define({ image: 'kube-31', cluster: grouped(1) });
    await there.well('osa-workload-clusters');
    expect(await there.upgrading()).toEqual(['v1.35.4']);
    const told = await there.well('osa-workload-status');
    expect(told.stdout).toContain('demo: it is UPDATE_IN_PROGRESS');
  });

  test('a cluster is deleted when it is named, and leaves nothing behind', async () => {
    const words = ['--set', 'osa_workload_delete_name=demo', '--confirm', 'cloud-a'];
    await define({});
    await there.settles(1, 'osa-workload-delete', ...words);
    expect(await openstack('coe', 'cluster', 'list', '-f', 'value')).toBe('');
    const left = await there.magnum.kubernetes.kubectl('get', 'clusters', '--all-namespaces');
    expect(left).toBe('');
  });
});

type Json = Readonly<Record<string, unknown>>;

const carriers = '{ name: infra1, address: 172.29.236.11 }';

const grouped = (workers: number): string =>
  `workers: 3, nodeGroups: [{ name: large, workers: ${workers}, labels: { availability_zone: nova } }]`;

interface Workload {
  readonly image?: 'kube-30' | 'kube-31';
  readonly network?: string;
  readonly cpus?: number;
  /** Of the one cluster, in YAML; none when left out. */
  readonly cluster?: string;
}

const definitionOf = ({ image = 'kube-30', network = 'public', cpus = 2, cluster }: Workload): string =>
  `workloadClusters:
  client: deploy-host
  flavors: [{ name: m1.medium, cpus: ${cpus}, memory: 4096, disk: 40 }]
  images:
    - { name: kube-30, kubernetes: v1.34.2, from: { file: /srv/kube-30.qcow2 } }
    - { name: kube-31, kubernetes: v1.35.4, from: { file: /srv/kube-31.qcow2 } }
  templates:
    - { name: small, image: ${image}, externalNetwork: ${network}, flavor: m1.medium, labels: { boot_volume_size: 20 } }
`.concat(
    cluster === undefined
      ? ''
      : `  clusters: [{ name: demo, template: small, keypair: operators, ${cluster} }]\n`,
  );
