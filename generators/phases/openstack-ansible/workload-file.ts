import type {
  OpenStackAnsibleMagnum,
  OsaFlavor,
  OsaImage,
  OsaNodeGroup,
  OsaTemplate,
  OsaWorkloadCluster,
} from '../../cluster/cluster.ts';
import { dataFile, type Data } from '../../data-file.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { magnumDrivers, type MagnumDriver } from '../../catalog/openstack-ansible/drivers.ts';

/** Where it lies in the bundle. */
export const workloadPath = 'files/osa/workload.yml';

/** What the programs on the deploy host are told about images, templates and clusters: words of the command line among it. */
export function workloadFile(name: string, osa: OpenStackAnsibleMagnum): RenderedFile {
  const { workload } = osa;
  const driver = magnumDrivers[osa.driver];
  return dataFile(name, workloadPath, {
    why: 'images, templates and clusters of Magnum',
    data: {
      client: workload.client,
      cloud: workload.cloud,
      resizesControlPlanes: driver.resizesControlPlanes(osa.versions.driver),
      versionIn: driver.versionIn,
      namespace: driver.namespace(prefixOf(osa)),
      flavors: workload.flavors.map(flavorData),
      images: workload.images.map((each) => imageData(each, driver)),
      templates: workload.templates.map(templateData),
      clusters: workload.clusters.map((each) => clusterData(each, workload.templates)),
    },
  });
}

/** Of the namespaces of Cluster API's objects. */
const prefixOf = ({ magnumConfiguration }: OpenStackAnsibleMagnum): string =>
  String(magnumConfiguration['capi_helm']?.['namespace_prefix'] ?? 'magnum');

const flavorData = ({ name, cpus, memory, disk, isPublic }: OsaFlavor): Data => ({
  ...{ name, cpus, memory, disk },
  options: [
    ...['--vcpus', String(cpus), '--ram', String(memory), '--disk', String(disk)],
    isPublic ? '--public' : '--private',
  ],
});

/** Magnum takes the driver by these properties; without the second a newer one takes the first by the alphabet. */
const imageData = ({ kubernetes, distribution, ...image }: OsaImage, driver: MagnumDriver): Data => ({
  ...{ name: image.name, source: image.source, sha256: image.sha256, visibility: image.visibility },
  properties: {
    os_distro: distribution,
    magnum_driver: driver.inMagnum(distribution),
    ...driver.imageProperties(kubernetes),
    ...(image.sha256 === '' ? {} : { playsmith_sha256: image.sha256 }),
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

const groupData = ({ name, flavor, workers, labels }: OsaNodeGroup): Data => ({
  ...{ name, flavor, workers, labels },
  options: ['--node-count', String(workers), '--flavor', flavor],
});

/** How many nodes its groups have after each part of a change. Where the cluster scales itself, the number of workers is its own. */
function countsOf({ controlPlanes, workers, nodeGroups }: OsaWorkloadCluster, scales: boolean): Data {
  const led = { 'default-master': controlPlanes };
  const groups = nodeGroups.map((each) => [each.name, each.workers] as const);
  const grouped = { 'default-worker': workers, ...Object.fromEntries(groups) };
  return { led, worked: { ...led, ...(scales ? {} : grouped) } };
}

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
    groups: cluster.nodeGroups.map(groupData),
    wanted: countsOf(cluster, scales),
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
