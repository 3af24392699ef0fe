import { expect, test } from 'vitest';
import { definition, osaOf, treeOf } from '../support.ts';

type Tree = Readonly<Record<string, unknown>>;
const pods = '  podSubnet: 172.29.200.0/22\n';
const at = (keys: string, release = '2025.2'): Tree =>
  treeOf(
    osaOf(definition({ '"2025.2"': `"${release}"`, [pods]: `${pods}functionalTest: { ${keys} }\n` })),
  ).get('playsmith/functional-test.yml') as Tree;

test('numbers, version and image are those of the definition', () => {
  expect(at('kubernetes: v1.28.13, imageUrl: https://images.example.org/k.qcow2, workers: 2')).toEqual({
    functional_test_k8s_version: 'v1.28.13',
    functional_test_image_url: 'https://images.example.org/k.qcow2',
    functional_test_master_count: 1,
    functional_test_node_count: 2,
  });
});

test('where network and flavor are named it makes neither, and nothing that is called like its own', () => {
  const told = at('externalNetwork: ext, flavor: m1.large');
  expect(told).toMatchObject({
    functional_test_resources_network: {},
    functional_test_resources_coe: {
      templates: [
        {
          external_network_id: 'ext',
          flavor_id: 'm1.large',
          master_flavor_id: 'm1.large',
          image_id: '{{ _get_image_info.images[0].id }}',
          labels: { kube_tag: '{{ functional_test_k8s_version }}' },
          clusters: [{ keypair: 'magnum_test_key', master_count: 1, node_count: 1 }],
        },
      ],
    },
  });
  expect(Object.keys(told['functional_test_resources_compute'] as Tree)).toEqual(['keypairs']);
  // The role hands a keypair of a template to a module that does not take it.
  const [template] = (told['functional_test_resources_coe'] as { templates: Tree[] }).templates;
  expect(template).not.toHaveProperty('keypair_id');
});

test('a template is never changed, so another flavor is another name', () => {
  const name = (flavor: string) =>
    at(`externalNetwork: ext, flavor: ${flavor}`)['functional_test_cluster_template_name'];
  expect(name('m1.large')).toMatch(/^playsmith-test-[0-9a-f]{8}$/);
  expect(name('m1.xlarge')).not.toBe(name('m1.large'));
});

test('from 2026.1 on the driver is told the provider that OpenStack-Ansible enables', () => {
  expect(JSON.stringify(at('externalNetwork: ext, flavor: f', '2026.1'))).toContain(
    '"octavia_provider":"amphora"',
  );
});
