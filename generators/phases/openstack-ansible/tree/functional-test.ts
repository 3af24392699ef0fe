import type { OpenStackAnsibleMagnum } from '../../../cluster/cluster.ts';
import { expression, type DataByName } from '../../../data-file.ts';
import { magnumDrivers } from '../../../catalog/openstack-ansible/drivers.ts';
import { sha256 } from '../../../digest.ts';
import { offlineTestVariables } from '../mirror.ts';

/** Extra variables of OpenStack-Ansible's own functional test: they take the place of those of its play. */
export const testVariables = (osa: OpenStackAnsibleMagnum): DataByName => ({
  ...ofTest(osa),
  ...(makesItsOwn(osa) ? {} : resources(osa)),
  ...offlineTestVariables(osa),
});

/** True: the test makes, or changes, a network `public` and a flavor `m1.medium`. */
export const makesItsOwn = ({ functionalTest }: OpenStackAnsibleMagnum): boolean =>
  functionalTest.externalNetwork === '' || functionalTest.flavor === '';

const ofTest = ({ functionalTest, driver }: OpenStackAnsibleMagnum): DataByName => ({
  ...(driver === 'azimuth' ? { functional_test_resources_image: azimuthImage } : {}),
  ...(functionalTest.kubernetesVersion === ''
    ? {}
    : { functional_test_k8s_version: functionalTest.kubernetesVersion }),
  ...(functionalTest.imageUrl === '' ? {} : { functional_test_image_url: functionalTest.imageUrl }),
  functional_test_master_count: functionalTest.masters,
  functional_test_node_count: functionalTest.workers,
});

/** The image of the play, with what magnum-capi-helm reads in it. */
const azimuthImage: DataByName = {
  images: [
    {
      name: expression('{{ functional_test_image_name }}'),
      url: expression('{{ functional_test_image_url }}'),
      ...{ disk_format: 'qcow2', visibility: 'public' },
      properties: {
        os_distro: 'ubuntu',
        kube_version: expression('{{ functional_test_k8s_version }}'),
        magnum_driver: magnumDrivers.azimuth.inMagnum('ubuntu'),
      },
    },
  ],
};

/** What the play has, but for the network and the flavor; its role takes no change of a template, so the name has a digest. */
function resources({ functionalTest, layout, offline }: OpenStackAnsibleMagnum): DataByName {
  const { externalNetwork, flavor, kubernetesVersion, imageUrl } = functionalTest;
  const digest = sha256(
    JSON.stringify([externalNetwork, flavor, kubernetesVersion, imageUrl, offline.registry]),
  ).slice(0, 8);
  const keypair = 'magnum_test_key';
  return {
    functional_test_cluster_template_name: `playsmith-test-${digest}`,
    functional_test_resources_network: {},
    functional_test_resources_compute: {
      keypairs: [
        {
          ...{ name: keypair, path: '/root/.ssh/magnum_test_rsa', key_format: 'ssh', size: 4096 },
          ...{ state: 'present', type: 'rsa', comment: 'magnum cluster api test ssh key' },
        },
      ],
    },
    functional_test_resources_coe: {
      templates: [
        {
          ...{ state: 'present', coe: 'kubernetes', dns_nameserver: '8.8.8.8', network_driver: 'calico' },
          name: expression('{{ functional_test_cluster_template_name }}'),
          image_id: expression('{{ _get_image_info.images[0].id }}'),
          external_network_id: externalNetwork,
          ...{ flavor_id: flavor, master_flavor_id: flavor, master_lb_enabled: 'True' },
          labels: {
            kube_tag: expression('{{ functional_test_k8s_version }}'),
            ...(layout === 'ops' ? {} : { octavia_provider: 'amphora' }),
            ...(offline.registry === '' || kubernetesVersion === ''
              ? {}
              : { container_infra_prefix: offline.registry }),
          },
          clusters: [
            {
              name: expression('{{ functional_test_cluster_name }}'),
              keypair,
              master_count: functionalTest.masters,
              node_count: functionalTest.workers,
            },
          ],
        },
      ],
    },
  };
}
