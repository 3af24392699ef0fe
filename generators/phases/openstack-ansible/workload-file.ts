import type {
  OpenStackAnsibleMagnum,
  OsaImage,
  OsaTemplate,
  OsaWorkloadCluster,
} from '../../cluster/cluster.ts';
import { dataFile, type Data } from '../../data-file.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { resizesControlPlanes } from '../../catalog/openstack-ansible/labels.ts';

/** Where it lies in the bundle. */
export const workloadPath = 'files/osa/workload.yml';

/** What the programs on the deploy host are told about images, templates and clusters: words of the command line among it. */
export const workloadFile = (name: string, { workload, versions }: OpenStackAnsibleMagnum): RenderedFile =>
  dataFile(name, workloadPath, {
    why: 'images, templates and clusters of Magnum',
    data: {
      client: workload.client,
      cloud: workload.cloud,
      resizesControlPlanes: resizesControlPlanes(versions.driver),
      images: workload.images.map(imageData),
      templates: workload.templates.map(templateData),
      clusters: workload.clusters.map((each) => clusterData(each, workload.templates)),
    },
  });

/** Magnum takes the driver by these properties; without the second a newer one takes the first by the alphabet. */
const imageData = ({ name, source, sha256, distribution, visibility }: OsaImage): Data => ({
  name,
  source,
  sha256,
  visibility,
  properties: {
    os_distro: distribution,
    magnum_driver: `k8s_cluster_api_${distribution}`,
    ...(sha256 === '' ? {} : { playsmith_sha256: sha256 }),
  },
});

const templateData = (template: OsaTemplate): Data => ({
  name: template.name,
  title: template.title,
  image: template.image,
  kubernetes: template.kubernetes,
  flavor: template.flavor,
  controlPlaneFlavor: template.controlPlaneFlavor,
  labels: template.labels,
  options: [
    ...['--coe', 'kubernetes', '--master-lb-enabled', '--external-network', template.externalNetwork],
    ...['--network-driver', template.networkDriver],
    ...['--master-flavor', template.controlPlaneFlavor, '--flavor', template.flavor],
    ...(template.dnsServer === '' ? [] : ['--dns-nameserver', template.dnsServer]),
    ...(template.dockerVolume === 0
      ? []
      : ['--docker-storage-driver', 'overlay2', '--docker-volume-size', String(template.dockerVolume)]),
    ...(template.isPublic ? ['--public'] : []),
  ],
});

function clusterData(cluster: OsaWorkloadCluster, templates: readonly OsaTemplate[]): Data {
  const template = templates.find(({ name }) => name === cluster.template);
  const scales = { ...template?.labels, ...cluster.labels }['auto_scaling_enabled'] === 'true';
  return {
    name: cluster.name,
    template: cluster.template,
    keypair: cluster.keypair,
    controlPlanes: cluster.controlPlanes,
    workers: cluster.workers,
    floatingAddress: cluster.floatingAddress,
    scalesItself: scales,
    minutes: cluster.minutes,
    labels: cluster.labels,
    wanted: { master_count: cluster.controlPlanes, ...(scales ? {} : { node_count: cluster.workers }) },
    version: template?.kubernetes ?? '',
    options: [
      ...['--master-count', String(cluster.controlPlanes), '--node-count', String(cluster.workers)],
      ...['--timeout', String(cluster.minutes)],
      ...(cluster.keypair === '' ? [] : ['--keypair', cluster.keypair]),
      ...(cluster.network === '' ? [] : ['--fixed-network', cluster.network]),
      ...(cluster.subnet === '' ? [] : ['--fixed-subnet', cluster.subnet]),
    ],
  };
}
