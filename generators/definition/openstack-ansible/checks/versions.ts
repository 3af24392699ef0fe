import {
  compareReleases,
  missingSums,
  type OsaRelease,
} from '../../../catalog/openstack-ansible/releases.ts';
import { problemAt, warning, type Finding, type Path } from '../../../source/finding.ts';
import { hasGap } from '../../gaps.ts';
import { driverOf, versionsOf, type OsaFacts } from '../derived.ts';

/** Every version is one that the pinned collections have; every pin is one that stays. */
export const osaVersions = (facts: OsaFacts): readonly Finding[] => [
  ...(facts.release
    ? [...checkVersions(facts, facts.release), ...driver(facts, facts.release), ...charts(facts)]
    : []),
  ...pins(facts),
  ...backups(facts),
];

function checkVersions(facts: OsaFacts, { carries }: OsaRelease): Finding[] {
  const versions = versionsOf(facts);
  const isReplaced =
    (facts.draft.collections ?? []).some((each) => each?.name?.endsWith('.kubernetes')) ||
    hasGap(facts.draft, 'collections.*.name');
  // What another collection has in it is not known here.
  if (!versions || isReplaced) return [];
  const lists: readonly (readonly [
    'clusterctl' | 'clusterApi' | 'provider' | 'kubernetes',
    readonly string[],
  ])[] = [
    ['clusterctl', [...carries.clusterctl, ...Object.keys(missingSums)]],
    ['clusterApi', carries.clusterApi],
    ['provider', carries.provider],
    ['kubernetes', carries.kubernetes],
  ];
  return lists.flatMap(([key, list]) =>
    facts.draft.versions?.[key] === undefined || list.length === 0 || list.includes(versions[key])
      ? []
      : [
          problemAt(
            ['versions', key],
            `the pinned collection has no ${versions[key]}`,
            `one of ${list.join(', ')}`,
          ),
        ],
  );
}

function driver(facts: OsaFacts, release: OsaRelease): Finding[] {
  const written = facts.draft.versions?.driver;
  const { title, tag } = driverOf(facts);
  const known = versionsOf({ ...facts, draft: {} })?.driver ?? '';
  if (facts.driver === 'azimuth' && release.azimuth === undefined)
    return [
      problemAt(['magnum', 'driver'], `this release installs no ${title}`, 'vexxhost, or release 2026.1'),
    ];
  if (written === undefined) return [];
  if (!tag.test(written))
    return [problemAt(['versions', 'driver'], `${title} has no tag ${written}`, `a tag like ${known}`)];
  return facts.driver === 'azimuth' ? azimuth(written, known) : vexxhost(written, release);
}

const azimuth = (written: string, known: string): Finding[] =>
  compareReleases(written, '1.2.0') < 0 || compareReleases(written, '1.5.0') >= 0
    ? [problemAt(['versions', 'driver'], `what magnum-capi-helm ${written} reads is not known here`, known)]
    : [];

/** What the other driver alone is made with. */
const charts = ({ draft, driver: name }: OsaFacts): Finding[] =>
  (['charts', 'addonProvider'] as const).flatMap((key) =>
    name === 'azimuth' || draft.versions?.[key] === undefined
      ? []
      : [
          problemAt(
            ['versions', key],
            'the driver vexxhost uses no charts',
            'magnum: { driver: azimuth }, or nothing',
          ),
        ],
  );

function vexxhost(written: string, { driverBelow, driverBecause, versions, layout }: OsaRelease): Finding[] {
  if (compareReleases(written, driverBelow) >= 0)
    return [
      problemAt(
        ['versions', 'driver'],
        `${written} cannot be built there: ${driverBecause}`,
        versions.driver,
      ),
    ];
  return layout === 'integrated' && compareReleases(written, '0.30.0') < 0
    ? [
        warning(
          ['versions', 'driver'],
          `${written} is much older than what the release was tried with`,
          versions.driver,
        ),
      ]
    : [];
}

function pins({ draft, release }: OsaFacts): Finding[] {
  return (draft.collections ?? []).flatMap((each, index) => {
    const version = each?.version;
    if (version === undefined || /^[0-9a-f]{40}$|^v?\d+(?:\.\d+)+$/.test(version)) return [];
    const pinned = release?.collections.find(({ name }) => name === each?.name);
    const at: Path = ['collections', index, 'version'];
    const right = pinned?.version ?? 'a commit or a tag';
    if (each?.name === 'osa_ops.mcapi_vexxhost' && version === 'master' && release?.layout === 'ops')
      return [
        warning(
          at,
          'master no longer runs modules in the virtual environment that this release relies on',
          right,
        ),
      ];
    return [warning(at, `${version} is a branch: what it holds may be another thing tomorrow`, right)];
  });
}

const backups = ({ draft, release }: OsaFacts): Finding[] =>
  draft.controlPlane?.backups === 'enabled' && release?.layout === 'ops'
    ? [
        problemAt(
          ['controlPlane', 'backups'],
          'the playbooks of this release know no backups of Cluster API',
          'disabled, or release 2026.1',
        ),
      ]
    : [];
