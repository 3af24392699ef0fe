import { describe, expect, test } from 'vitest';
import { workloadFile } from '../../../generators/phases/openstack-ansible/workload-file.ts';
import { readYaml } from '../../../generators/yaml.ts';
import { definition, osaOf, said, treeOf } from './support.ts';
import { cloud, withWorkload } from './workload-support.ts';

/** Release 2026.1 with magnum-capi-helm. */
const azimuth = {
  '"2025.2"': '"2026.1"',
  'controlPlane:': 'magnum: { driver: azimuth }\ncontrolPlane:',
};
const wrong = (changes: Readonly<Record<string, string>>): string =>
  said(withWorkload({ ...azimuth, ...changes })).join('\n');

describe('the driver magnum-capi-helm', () => {
  const tree = treeOf(osaOf(definition({ ...azimuth, 'magnum:': 'tls: { external: osa-pki }\nmagnum:' })));

  test('is switched on with its tag and charts, and gets one authority for provider and nodes', () => {
    expect(tree.get('group_vars/magnum_all/main.yml')).toMatchObject({
      magnum_k8s_driver: 'azimuth',
      magnum_capi_azimuth_git_install_branch: '1.4.0',
      magnum_capi_azimuth_git_repo: 'https://opendev.org/openstack/magnum-capi-helm',
      magnum_capi_azimuth_helm_charts_version: '0.22.0',
      magnum_capi_azimuth_helm_addon_provider_version: '0.10.4',
      magnum_capi_network_drivers: ['calico'],
      magnum_config_overrides: {
        drivers: { openstack_ca_file: '/usr/local/share/ca-certificates/ExampleCorpRoot.crt' },
        capi_helm: { default_helm_chart_version: '0.22.0' },
      },
    });
  });

  test('is said of the image of the functional test, with its version of Kubernetes', () => {
    expect(tree.get('playsmith/functional-test.yml')).toMatchObject({
      functional_test_resources_image: {
        images: [
          {
            properties: {
              os_distro: 'ubuntu',
              kube_version: '{{ functional_test_k8s_version }}',
              magnum_driver: 'k8s_capi_helm_v1',
            },
          },
        ],
      },
    });
  });

  test('takes its other versions from the definition', () => {
    const versions = 'versions: { driver: 1.3.0, charts: 0.21.0, addonProvider: 0.10.3 }\ncontrolPlane:';
    const text = definition(azimuth).replace('controlPlane:', versions);
    expect(treeOf(osaOf(text)).get('group_vars/magnum_all/main.yml')).toMatchObject({
      magnum_capi_azimuth_git_install_branch: '1.3.0',
      magnum_capi_azimuth_helm_charts_version: '0.21.0',
      magnum_capi_azimuth_helm_addon_provider_version: '0.10.3',
    });
  });

  test('finds version and driver in the image, and its clusters in a namespace of the project', () => {
    const text = withWorkload({ ...azimuth, ', labels: { availability_zone: az1 }': '' });
    expect(said(text)).toEqual([]);
    expect(readYaml(workloadFile('cloud-a', osaOf(text)).text)).toMatchObject({
      versionIn: 'template',
      namespace: 'magnum-{project_id}',
      resizesControlPlanes: true,
      images: [
        {
          properties: { os_distro: 'ubuntu', magnum_driver: 'k8s_capi_helm_v1', kube_version: 'v1.30.2' },
        },
        {},
      ],
      templates: [{ labels: { boot_volume_size: '20', kube_tag: 'v1.30.2' } }],
    });
  });

  test.each([
    [{}, 'the driver reads no label availability_zone'],
    [
      { 'availability_zone: az1': 'csi_cinder_reclaim_policy: Keep' },
      'Keep is no value of csi_cinder_reclaim_policy → one of Retain, Delete',
    ],
    [
      { 'availability_zone: az1': 'api_master_lb_allowed_cidrs: "192.0.2.0/24,x"' },
      'is no value of api_master_lb_allowed_cidrs → networks joined by commas',
    ],
    [
      { 'availability_zone: az1': 'capi_helm_chart_version: 0.22.0' },
      'capi_helm_chart_version follows from `versions.charts`',
    ],
    [
      {
        'availability_zone: az1': 'extra_network_names: storage',
        'magnum:': 'versions: { driver: 1.3.0 }\nmagnum:',
      },
      'the driver 1.3.0 does not read extra_network_names → 1.4.0 or newer',
    ],
    [
      { 'magnum:': 'versions: { driver: v0.36.6 }\nmagnum:' },
      'magnum-capi-helm has no tag v0.36.6 → a tag like 1.4.0',
    ],
    [
      { 'magnum:': 'versions: { driver: 2.0.0 }\nmagnum:' },
      'what magnum-capi-helm 2.0.0 reads is not known here → 1.4.0',
    ],
    [
      { 'kubernetes: v1.31.1': 'kubernetes: v1.31.1, distribution: rockylinux' },
      'the driver 1.4.0 makes no nodes with rockylinux → ubuntu or flatcar',
    ],
    [{ 'magnum:': 'proxy: { hosts: compute_hosts }\nmagnum:' }, 'the proxy belongs to magnum-cluster-api'],
    [
      { 'magnum:': 'tls: { endpoint: internal }\nmagnum:' },
      'the provider of Cluster API and the nodes get the same credentials',
    ],
    [
      { 'flavor: m1.medium': 'flavor: m1.medium, dockerVolume: 20' },
      'the driver gives nodes no volume of their own for images and containers',
    ],
    [
      { '  images:': '  flavors: [{ name: tiny, cpus: 1, memory: 1024, disk: 10 }]\n  images:' },
      'the driver makes no node of a flavor with less than 2048',
    ],
    [
      { 'keypair: ops': 'keypair: ops, nodeGroups: [{ name: gp, labels: { boot_volume_size: 9 } }]' },
      'the driver reads no labels of a group → labels of the cluster',
    ],
    [
      {
        'magnum:':
          'offline: { registry: r.example.org/osa, files: https://f.example.org/x, git: https://g.example.org/m }\nmagnum:',
      },
      'what its charts pull is not known here',
    ],
    [
      { 'keypair: ops': 'keypair: ops, floatingAddress: disabled' },
      'through the proxy alone, and there is none → enabled',
    ],
    [
      {
        'driver: azimuth':
          'driver: azimuth, configuration: { capi_helm: { app_cred_interface_type: internal } }',
      },
      'capi_helm.app_cred_interface_type follows from the definition',
    ],
  ])('%j', (changes, message) => {
    expect(wrong(changes)).toContain(message);
  });

  test('comes with release 2026.1, and charts with it alone', () => {
    expect(
      said(definition({ 'controlPlane:': 'magnum: { driver: azimuth }\ncontrolPlane:' })).join(),
    ).toContain('this release installs no magnum-capi-helm → vexxhost, or release 2026.1');
    expect(
      said(definition({ 'controlPlane:': 'versions: { charts: 0.22.0 }\ncontrolPlane:' })).join(),
    ).toContain('the driver vexxhost uses no charts');
  });

  test('an address that its pods would take for one of theirs is told', () => {
    const text = definition({
      ...azimuth,
      'openStackAnsible:': 'openStackAnsible:\n  externalAddress: 172.20.0.9',
    });
    expect(said(text).join()).toContain('the external address 172.20.0.9 lies in 172.16.0.0/13');
  });

  test('a cluster has the version of its template, whatever its own labels say', () => {
    const text = withWorkload({ ...azimuth, ', labels: { availability_zone: az1 }': '' });
    const there = cloud(text);
    for (const name of ['kube-30', 'kube-31']) there.image(name);
    const template = { action: 'bring', kind: 'template', name: 'small' };
    there.act(template);
    there.act({ action: 'bring', kind: 'controlPlanes', name: 'demo' });
    there.end({ wanted: { groups: { 'default-master': 1, 'default-worker': 2 } } });
    const newer = text.replace('image: kube-30', 'image: kube-31');
    there.act(template, newer);
    expect(there.act({ action: 'upgrade', name: 'demo' }, newer)['changed']).toEqual([
      'upgrade from v1.30.2 to v1.31.1',
    ]);
    const complete = (): string => there.wait({ always: true })['why']?.toString() ?? '';
    while (!complete().includes('UPDATE_COMPLETE'));
    expect(complete()).toContain('it is UPDATE_COMPLETE,control planes have v1.30.2, not yet v1.31.1');
    expect(there.end({ wanted: { kube_tag: 'v1.31.1' } })['state']).toBe('ended');
    expect(complete()).not.toContain('control planes');
    expect(there.look(newer)).toMatchObject({ problems: [], todo: {} });
  });
});
