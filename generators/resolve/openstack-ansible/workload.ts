import type {
  OsaImage,
  OsaNodeGroup,
  OsaTemplate,
  OsaWorkload,
  OsaWorkloadCluster,
} from '../../cluster/cluster.ts';
import { osaDefaults } from '../../definition/openstack-ansible/defaults.ts';
import type { OsaDefinition } from '../../definition/openstack-ansible/schema/schema.ts';
import { sha256 } from '../../digest.ts';

type WorkloadDefinition = NonNullable<OsaDefinition['workloadClusters']>;

/** Fills every default of the workload clusters; none where the definition has none. `labels` are what the driver wants in templates. */
export function workloadOf(
  { workloadClusters, magnum, offline }: OsaDefinition,
  labels: Readonly<Record<string, string>>,
): OsaWorkload {
  const images = (workloadClusters?.images ?? []).map(imageOf);
  const around = {
    images,
    networkDriver: magnum?.networkDrivers?.[0] ?? osaDefaults.networkDrivers[0],
    prefix: offline?.registry ?? '',
    labels,
  };
  const templates = (workloadClusters?.templates ?? []).map((each) => templateOf(each, around));
  return {
    client: workloadClusters?.client ?? osaDefaults.client,
    cloud: workloadClusters?.cloud ?? osaDefaults.cloud,
    flavors: (workloadClusters?.flavors ?? []).map(({ visibility, ...flavor }) => ({
      ...flavor,
      isPublic: (visibility ?? osaDefaults.visibility) === 'public',
    })),
    images,
    templates,
    clusters: (workloadClusters?.clusters ?? []).map((each) => clusterOf(each, templates)),
  };
}

const imageOf = (image: WorkloadDefinition['images'][number]): OsaImage => ({
  name: image.name,
  kubernetes: image.kubernetes,
  source: image.from.url ?? image.from.file ?? '',
  sha256: image.sha256 ?? '',
  distribution: image.distribution ?? osaDefaults.distribution,
  visibility: image.visibility ?? osaDefaults.visibility,
});

interface WorkloadContext {
  readonly images: readonly OsaImage[];
  readonly networkDriver: 'calico' | 'cilium';
  /** Of the registry; empty: none. */
  readonly prefix: string;
  /** Where a template does not say them itself. */
  readonly labels: Readonly<Record<string, string>>;
}

function templateOf(written: WorkloadDefinition['templates'][number], around: WorkloadContext): OsaTemplate {
  const image = around.images.find(({ name }) => name === written.image);
  const kubernetes = image?.kubernetes ?? '';
  const said = {
    name: written.name,
    image: written.image,
    kubernetes,
    externalNetwork: written.externalNetwork,
    networkDriver: written.networkDriver ?? around.networkDriver,
    controlPlaneFlavor: written.controlPlaneFlavor ?? written.flavor,
    flavor: written.flavor,
    dnsServer: written.dnsServer ?? '',
    dockerVolume: written.dockerVolume ?? 0,
    isPublic: (written.visibility ?? osaDefaults.visibility) === 'public',
    labels: {
      ...around.labels,
      ...texts(written.labels),
      ...(around.prefix === '' ? {} : { container_infra_prefix: around.prefix }),
      kube_tag: kubernetes,
    },
  };
  // The image's sum belongs to it: another file under the same name is another template.
  const digest = sha256(JSON.stringify([said, image?.sha256 ?? '']));
  return { ...said, title: `${written.name}-${digest.slice(0, 8)}` };
}

type ClusterDefinition = NonNullable<WorkloadDefinition['clusters']>[number];

const clusterOf = (written: ClusterDefinition, templates: readonly OsaTemplate[]): OsaWorkloadCluster => {
  const floatingAddress = (written.floatingAddress ?? 'enabled') === 'enabled';
  return {
    name: written.name,
    template: written.template,
    keypair: written.keypair ?? '',
    controlPlanes: written.controlPlanes ?? osaDefaults.masters,
    workers: written.workers ?? osaDefaults.workers,
    floatingAddress,
    network: written.network ?? '',
    subnet: written.subnet ?? '',
    labels: {
      ...texts(written.labels),
      ...(floatingAddress ? {} : { master_lb_floating_ip_enabled: 'false' }),
    },
    minutes: written.minutes ?? osaDefaults.minutes,
    nodeGroups: (written.nodeGroups ?? []).map((group) =>
      nodeGroupOf(group, templates.find(({ name }) => name === written.template)?.flavor ?? ''),
    ),
  };
};

const nodeGroupOf = (
  { name, flavor, workers, labels }: NonNullable<ClusterDefinition['nodeGroups']>[number],
  ofCluster: string,
): OsaNodeGroup => ({
  name,
  flavor: flavor ?? ofCluster,
  workers: workers ?? osaDefaults.workers,
  labels: texts(labels),
});

/** Labels travel as text; sorted, so that their order is no other template. */
const texts = (labels: Readonly<Record<string, string | number | boolean>> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => [name, String(value)]),
  );
