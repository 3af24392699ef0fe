const group = 'infrastructure.cluster.x-k8s.io';
const kinds = [
  'OpenStackCluster',
  'OpenStackClusterTemplate',
  'OpenStackMachine',
  'OpenStackMachineTemplate',
];

/**
 * Stands in for the resources of Cluster API's provider for OpenStack, whose module is not to be had: the same names, and any
 * content. Nobody acts on them.
 */
export const infrastructureKinds = kinds.map((kind) => definitionOf(kind));

/** As they are asked for. */
export const infrastructureResources = kinds.map((kind) => `${kind.toLowerCase()}s.${group}`);

function definitionOf(kind: string): object {
  const plural = `${kind.toLowerCase()}s`;
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
          name: 'v1beta1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
}
