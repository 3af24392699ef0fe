import { problemAt, type Finding, type Path } from '../../../source/finding.ts';
import { driverOf, versionsOf, type OsaFacts } from '../derived.ts';
import { hasGap } from '../../gaps.ts';
import { osaDefaults } from '../defaults.ts';

/** Images, templates and clusters name each other, and the driver can make them. */
export const osaWorkload = (facts: OsaFacts): readonly Finding[] =>
  facts.draft.workloadClusters
    ? [twice, checkNames, drivers, clusters, checkGroups, checkZones].flatMap((check) => check(facts))
    : [];

const root = 'workloadClusters';

const twice = ({ draft }: OsaFacts): Finding[] =>
  (['flavors', 'images', 'templates', 'clusters'] as const).flatMap((kind) => {
    const names = (draft.workloadClusters?.[kind] ?? []).map((each) => each?.name);
    return names.flatMap((name, index) =>
      name !== undefined && names.indexOf(name) < index
        ? [problemAt([root, kind, index, 'name'], `${name} stands twice in ${kind}`, 'another name')]
        : [],
    );
  });

function checkNames({ draft }: OsaFacts): Finding[] {
  const { images = [], templates = [], clusters: all = [] } = draft.workloadClusters ?? {};
  const missing = (
    at: Path,
    name: string | undefined,
    there: readonly ({ name?: string | undefined } | undefined)[],
  ) => {
    const names = there.flatMap((each) => each?.name ?? []);
    return name === undefined || names.includes(name)
      ? []
      : [
          problemAt(
            at,
            `there is no ${name}`,
            names.length > 0 ? `one of ${names.join(', ')}` : 'one that is defined',
          ),
        ];
  };
  return [
    ...(hasGap(draft, `${root}.images.*.name`) ? [] : templates).flatMap((each, index) =>
      missing([root, 'templates', index, 'image'], each?.image, images),
    ),
    ...(hasGap(draft, `${root}.templates.*.name`) ? [] : all).flatMap((each, index) =>
      missing([root, 'clusters', index, 'template'], each?.template, templates),
    ),
  ];
}

function drivers(facts: OsaFacts): Finding[] {
  const { draft } = facts;
  const allowed = draft.magnum?.networkDrivers ?? osaDefaults.networkDrivers;
  const isOpen = hasGap(draft, 'magnum.networkDrivers.*');
  const driver = versionsOf(facts)?.driver ?? '';
  const distributions = driverOf(facts).distributions(driver);
  return [
    ...(draft.workloadClusters?.templates ?? []).flatMap((each, index) =>
      each?.networkDriver === undefined || isOpen || allowed.includes(each.networkDriver)
        ? []
        : [
            problemAt(
              [root, 'templates', index, 'networkDriver'],
              `Magnum does not allow ${each.networkDriver}`,
              `${allowed.join(' or ')}, or ${each.networkDriver} in magnum.networkDrivers`,
            ),
          ],
    ),
    ...(draft.workloadClusters?.images ?? []).flatMap((each, index) =>
      each?.distribution === undefined || distributions.includes(each.distribution)
        ? []
        : [
            problemAt(
              [root, 'images', index, 'distribution'],
              `the driver ${driver} makes no nodes with ${each.distribution}`,
              distributions.join(' or '),
            ),
          ],
    ),
  ];
}

function clusters(facts: OsaFacts): Finding[] {
  const { draft } = facts;
  return (draft.workloadClusters?.clusters ?? []).flatMap((each, index) => {
    const at = [root, 'clusters', index] as const;
    const count = each?.controlPlanes ?? 1;
    return [
      ...(count % 2 === 0
        ? [
            problemAt(
              [...at, 'controlPlanes'],
              `the driver refuses ${count} control planes: etcd wants an odd number`,
              `${count - 1} or ${count + 1}`,
            ),
          ]
        : []),
      ...(each?.floatingAddress === 'disabled' && draft.proxy === undefined && !hasGap(draft, 'proxy')
        ? [
            problemAt(
              [...at, 'floatingAddress'],
              'without a floating address the control plane reaches it through the proxy alone, and there is none',
              'proxy' in driverOf(facts).without ? 'enabled' : 'enabled, or `proxy`',
            ),
          ]
        : []),
      ...(each?.subnet !== undefined && each.network === undefined && !hasGap(each, 'network')
        ? [problemAt([...at, 'subnet'], 'the network of the subnet is not given', 'network beside it')]
        : []),
    ];
  });
}

/** The driver would ask Cluster API for the zone null, and the cluster would be UPDATE_FAILED. */
function checkZones(facts: OsaFacts): Finding[] {
  const { templates = [], clusters: all = [] } = facts.draft.workloadClusters ?? {};
  const driver = versionsOf(facts)?.driver;
  if (driver === undefined || !driverOf(facts).groupsNeedZone(driver)) return [];
  return all.flatMap((cluster, index) => {
    const template = templates.find((each) => each?.name === cluster?.template);
    return (cluster?.nodeGroups ?? []).flatMap((group, at) => {
      if (group === undefined || template === undefined) return [];
      const isZoned = [group, cluster, template].some(
        (each) => hasGap(each ?? {}, 'labels.*') || (each?.labels?.['availability_zone'] ?? '') !== '',
      );
      return isZoned ? [] : [problemAt([root, 'clusters', index, 'nodeGroups', at], ...zoneAdvice(driver))];
    });
  });
}

const zoneAdvice = (driver: string): readonly [string, string] => [
  `the driver ${driver} makes no group of workers without an availability zone`,
  'labels: { availability_zone: … } beside its name, with a zone that `openstack availability zone list --compute` prints',
];

const checkGroups = ({ draft }: OsaFacts): Finding[] =>
  (draft.workloadClusters?.clusters ?? []).flatMap((cluster, index) => {
    const names = (cluster?.nodeGroups ?? []).map((group) => group?.name);
    return names.flatMap((name, at) => {
      const path = [root, 'clusters', index, 'nodeGroups', at, 'name'];
      if (name === undefined) return [];
      if (/^default-(?:master|worker)$/.test(name))
        return [problemAt(path, `every cluster has a group ${name}`, 'another name')];
      return names.indexOf(name) < at
        ? [problemAt(path, `${name} stands twice in nodeGroups`, 'another name')]
        : [];
    });
  });
