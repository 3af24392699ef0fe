import { publisherIn } from '../../../catalog/openstack-ansible/publishers.ts';
import { minorsOfOldDriver } from '../../../catalog/openstack-ansible/offline/driver-024.ts';
import { driverImages } from '../../../catalog/openstack-ansible/offline/workload.ts';
import { compareReleases } from '../../../catalog/openstack-ansible/releases.ts';
import { indexes } from './offline-indexes.ts';
import { problemAt, warning, type Finding, type Path } from '../../../source/finding.ts';
import { hasGap } from '../../gaps.ts';
import { versionsOf, type OsaFacts } from '../derived.ts';

/** With mirrors nothing comes from the internet; and the driver knows what belongs to each version of Kubernetes. */
export const osaOffline = (facts: OsaFacts): readonly Finding[] => [
  ...(facts.draft.offline && facts.driver === 'vexxhost'
    ? [...checkCollections(facts), ...outside(facts), ...indexes(facts)]
    : []),
  ...minors(facts),
];

function checkCollections(facts: OsaFacts): Finding[] {
  const { draft } = facts;
  const replaced = (draft.collections ?? []).findIndex((each) =>
    /\.(?:kubernetes|containers)$/.test(each?.name ?? ''),
  );
  return [
    ...driver(facts),
    ...(replaced < 0
      ? []
      : [
          problemAt(
            ['collections', replaced],
            'what this collection downloads is not known here, so the mirrors cannot be complete',
            'the collection that is pinned for the release, from your mirror by `offline.git`',
          ),
        ]),
  ];
}

/** What it pulls has to be known, and from v0.25 on it is built with crates. */
function driver(facts: OsaFacts): Finding[] {
  const { draft, release } = facts;
  const version = versionsOf(facts)?.driver;
  if (release === undefined || version === undefined) return [];
  const templates = draft.workloadClusters?.templates ?? [];
  return [
    ...(driverImages(version) === undefined
      ? [
          problemAt(
            ['versions', 'driver'],
            `what clusters of the driver ${version} pull is not known here, so the mirrors cannot be complete`,
            release.versions.driver,
          ),
        ]
      : []),
    ...(compareReleases(version, '0.25.0') >= 0 &&
    draft.offline?.cargo === undefined &&
    !hasGap(draft, 'offline.cargo')
      ? [
          problemAt(
            ['offline'],
            `the driver ${version} is built with Rust, whose crates would come from crates.io`,
            'cargo: a sparse index of crates of yours',
          ),
        ]
      : []),
    ...templates.flatMap((each, index) =>
      String(each?.labels?.['cilium_hubble_ui_enabled'] ?? 'false') === 'true'
        ? [
            problemAt(
              ['workloadClusters', 'templates', index, 'labels', 'cilium_hubble_ui_enabled'],
              'with a registry of yours the driver asks for tags of Hubble that its publisher does not have',
              'false',
            ),
          ]
        : [],
    ),
  ];
}

function outside({ draft }: OsaFacts): Finding[] {
  const test = draft.functionalTest;
  const said: (readonly [Path, string | undefined])[] = [
    [['functionalTest', 'imageUrl'], test?.imageUrl],
    ...(draft.workloadClusters?.images ?? []).map(
      (each, index) => [['workloadClusters', 'images', index, 'from', 'url'], each?.from?.url] as const,
    ),
    ...Object.entries(draft.magnum?.configuration ?? {}).flatMap(([section, options]) =>
      Object.entries(options ?? {}).map(
        ([option, value]) => [['magnum', 'configuration', section, option], String(value)] as const,
      ),
    ),
    ...(['registry', 'files', 'git', 'gitPush', 'cargo', 'python', 'packages'] as const).map(
      (key) => [['offline', key], draft.offline?.[key]] as const,
    ),
  ];
  return [
    ...said.flatMap(([path, text]) => {
      const host = publisherIn(text ?? '');
      return host === ''
        ? []
        : [
            problemAt(
              path,
              `${host} is on the internet, and with \`offline\` nothing comes from there`,
              'a mirror of yours',
            ),
          ];
    }),
    ...(test?.imageUrl === undefined
      ? [
          warning(
            test ? ['functionalTest'] : ['offline'],
            "OpenStack-Ansible's own test would download its image from the internet",
            'functionalTest: { imageUrl } on a mirror of yours',
          ),
        ]
      : []),
  ];
}

/** The driver has a table; it fails on a version that is not in it, when the cluster is made. */
function minors(facts: OsaFacts): Finding[] {
  const driver = versionsOf(facts)?.driver;
  if (driver === undefined || compareReleases(driver, '0.25.0') >= 0) return [];
  const said: readonly (readonly [Path, string | undefined])[] = [
    [['functionalTest', 'kubernetes'], facts.draft.functionalTest?.kubernetes],
    ...(facts.draft.workloadClusters?.images ?? []).map(
      (each, index) => [['workloadClusters', 'images', index, 'kubernetes'], each?.kubernetes] as const,
    ),
  ];
  return said.flatMap(([path, kubernetes]) =>
    kubernetes === undefined || minorsOfOldDriver.includes(Number(kubernetes.split('.')[1]))
      ? []
      : [
          problemAt(
            path,
            `the driver ${driver} makes no cluster with ${kubernetes}: it knows no cloud provider for it`,
            `v1.${minorsOfOldDriver[0] ?? ''} to v1.${minorsOfOldDriver.at(-1) ?? ''}`,
          ),
        ],
  );
}
