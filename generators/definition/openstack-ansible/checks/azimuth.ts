import { magnumDrivers } from '../../../catalog/openstack-ansible/drivers.ts';
import { problemAt, warning, type Finding } from '../../../source/finding.ts';
import { cidr, overlap, parseAddress, parseBlock } from '../../../source/networks.ts';
import type { OsaFacts } from '../derived.ts';

/** What does nothing with magnum-capi-helm, or what it and its charts refuse when a cluster is made. */
export const osaAzimuth = (facts: OsaFacts): readonly Finding[] =>
  facts.driver === 'azimuth'
    ? [
        ...sections(facts),
        ...endpoint(facts),
        ...options(facts),
        ...flavors(facts),
        ...templates(facts),
        ...groups(facts),
        ...addresses(facts),
      ]
    : [];

const sections = ({ draft }: OsaFacts): Finding[] =>
  Object.entries(magnumDrivers.azimuth.without).flatMap(([key, because]) =>
    draft[key as 'proxy' | 'offline'] === undefined ? [] : [problemAt([key], because, 'nothing')],
  );

/** Provider and nodes get the same credentials. */
const endpoint = ({ draft }: OsaFacts): Finding[] =>
  draft.tls?.endpoint === 'internal'
    ? [
        problemAt(
          ['tls', 'endpoint'],
          'the provider of Cluster API and the nodes get the same credentials, and nodes use the public endpoints',
          'public',
        ),
      ]
    : [];

/** Pods of workload clusters have to reach OpenStack, and no label gives them another network. */
const addresses = ({ externalAddress }: OsaFacts): Finding[] => {
  const address = parseAddress(externalAddress);
  const network = parseBlock(magnumDrivers.azimuth.networks[0] ?? '');
  return address && network && overlap(address, network)
    ? [
        warning(
          ['magnum', 'driver'],
          `the external address ${externalAddress} lies in ${cidr(network)}, which pods of workload clusters have: they do not reach it`,
          'vexxhost, or another external address',
        ),
      ]
    : [];
};

const options = ({ draft }: OsaFacts): Finding[] =>
  (
    [
      ['default_helm_chart_version', 'versions: { charts }'],
      ['app_cred_interface_type', 'nothing: it is public'],
    ] as const
  ).flatMap(([option, right]) =>
    draft.magnum?.configuration?.['capi_helm']?.[option] === undefined
      ? []
      : [
          problemAt(
            ['magnum', 'configuration', 'capi_helm', option],
            `capi_helm.${option} follows from the definition`,
            right,
          ),
        ],
  );

/** Below these the driver refuses every cluster; `minimum_flavor_ram` and `minimum_flavor_vcpus` say otherwise. */
const flavors = ({ draft }: OsaFacts): Finding[] =>
  (draft.workloadClusters?.flavors ?? []).flatMap((flavor, index) =>
    (
      [
        ['cpus', 'minimum_flavor_vcpus', 2],
        ['memory', 'minimum_flavor_ram', 2048],
      ] as const
    ).flatMap(([key, option, usual]) => {
      const written = draft.magnum?.configuration?.['capi_helm']?.[option];
      const least = typeof written === 'number' ? written : usual;
      return (flavor?.[key] ?? least) >= least
        ? []
        : [
            problemAt(
              ['workloadClusters', 'flavors', index, key],
              `the driver makes no node of a flavor with less than ${least}`,
              `${least} or more, or capi_helm.${option} in magnum.configuration`,
            ),
          ];
    }),
  );

const templates = ({ draft }: OsaFacts): Finding[] =>
  (draft.workloadClusters?.templates ?? []).flatMap((template, index) =>
    template?.dockerVolume === undefined
      ? []
      : [
          problemAt(
            ['workloadClusters', 'templates', index, 'dockerVolume'],
            'the driver gives nodes no volume of their own for images and containers',
            'labels: { boot_volume_size }',
          ),
        ],
  );

const groups = ({ draft }: OsaFacts): Finding[] =>
  (draft.workloadClusters?.clusters ?? []).flatMap((cluster, index) =>
    (cluster?.nodeGroups ?? []).flatMap((group, at) => {
      const path = ['workloadClusters', 'clusters', index, 'nodeGroups', at];
      return [
        ...(Object.keys(group?.labels ?? {}).length > 0
          ? [problemAt([...path, 'labels'], 'the driver reads no labels of a group', 'labels of the cluster')]
          : []),
        ...((group?.name ?? 'group').length < 3
          ? [
              problemAt(
                [...path, 'name'],
                'the chart takes no group with a name below three characters',
                'large',
              ),
            ]
          : []),
      ];
    }),
  );
