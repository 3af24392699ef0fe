import { expect, test } from 'vitest';
import { definition, osaOf, treeOf } from '../support.ts';

type Tree = Readonly<Record<string, unknown>>;
const pods = '  podSubnet: 172.29.200.0/22\n';
const integrated = definition({ '"2025.2"': '"2026.1"' });
const at = (text: string): Tree => treeOf(osaOf(text)).get('group_vars/magnum_all/main.yml') as Tree;
const with_ = (magnum: string, text = definition()): Tree =>
  at(text.replace(pods, `${pods}magnum: ${magnum}\n`));

test.each([definition(), integrated])(
  'the role makes no images, templates and flavors of its own, which would be for another driver',
  (text) => {
    expect(at(text)).toMatchObject({
      magnum_glance_images: [],
      magnum_cluster_templates: [],
      magnum_flavors: [],
    });
  },
);

test('until 2025.2 the driver is a package of Magnum, at its tag; the version of Nova is said', () => {
  expect(at(definition())).toMatchObject({
    magnum_magnum_cluster_api_git_install_branch: 'v0.24.2',
    magnum_user_pip_packages: [
      'git+{{ magnum_magnum_cluster_api_git_repo }}@{{ magnum_magnum_cluster_api_git_install_branch }}#egg=magnum-cluster-api',
      'kubernetes',
    ],
    magnum_config_overrides: { nova_client: { api_version: '2.15' } },
  });
  expect(at(definition())).not.toHaveProperty('magnum_k8s_driver');
});

test('from 2026.1 on it is switched on: the role would take Heat, and says the version of Nova itself', () => {
  expect(at(integrated)).toMatchObject({
    magnum_k8s_driver: 'vexxhost',
    magnum_capi_vexxhost_git_install_branch: 'v0.36.6',
  });
  expect(at(integrated)).not.toHaveProperty('magnum_user_pip_packages');
  expect(at(integrated)['magnum_config_overrides']).not.toHaveProperty('nova_client');
});

test('the first network driver is that of clusters that choose none', () => {
  const drivers = '{ networkDrivers: [cilium, calico] }';
  expect(with_(drivers)['magnum_config_overrides']).toMatchObject({
    cluster_template: {
      kubernetes_allowed_network_drivers: 'cilium,calico',
      kubernetes_default_network_driver: 'cilium',
    },
  });
  expect(with_(drivers, integrated)).toMatchObject({
    magnum_capi_network_drivers: ['cilium', 'calico'],
    magnum_capi_network_driver_default: 'cilium',
  });
});

test('the root of OpenStack-Ansible lies where the family of the system has it', () => {
  const text = definition({
    [pods]: `${pods}  system: redhat\ntls: { external: osa-pki, internal: osa-pki }\n`,
  });
  const file = '/etc/pki/ca-trust/source/anchors/ExampleCorpRoot.crt';
  expect(at(text)['magnum_config_overrides']).toMatchObject({
    drivers: { openstack_ca_file: file },
    capi_client: { ca_file: file },
  });
});
