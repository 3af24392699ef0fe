interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

const ofProvider = [
  ...['OpenStackCluster', 'OpenStackClusterTemplate', 'OpenStackMachine', 'OpenStackMachineTemplate'],
].map((kind) => ({
  ...{ group: 'infrastructure.cluster.x-k8s.io', version: 'v1beta1', kind },
  plural: `${kind.toLowerCase()}s`,
}));

/** What capi-helm-charts add to a cluster, for cluster-api-addon-provider. */
const ofAddons = [
  ['HelmRelease', 'helmreleases'],
  ['Manifests', 'manifests'],
].map(([kind = '', plural = '']) => ({ group: 'addons.stackhpc.com', version: 'v1alpha1', kind, plural }));

const kinds: readonly Kind[] = [...ofProvider, ...ofAddons];

/**
 * Stands in for the resources of Cluster API's provider for OpenStack, whose module is not to be had, and of the provider of
 * addons, whose charts are not: the same names, and any content. Nobody acts on them.
 */
export const infrastructureKinds = kinds.map((kind) => definitionOf(kind));

const resourceOf = ({ group, plural }: Kind): string => `${plural}.${group}`;

/** As they are asked for. */
export const infrastructureResources = kinds.map(resourceOf);
export const addonResources = ofAddons.map(resourceOf);

function definitionOf({ group, version, kind, plural }: Kind): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      labels: {
        'cluster.x-k8s.io/v1beta1': 'v1beta1',
        'cluster.x-k8s.io/provider': 'infrastructure-openstack',
      },
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
}
