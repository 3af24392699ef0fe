import { releases, type OsaRelease } from '../../catalog/openstack-ansible/releases.ts';
import { magnumDrivers, type MagnumDriver } from '../../catalog/openstack-ansible/drivers.ts';
import type { OsaDriver, OsaVersions } from '../../cluster/openstack-ansible.ts';
import type { Files } from '../files.ts';
import { hasGap } from '../gaps.ts';
import { hostsOfGroup, osaConfiguration, type OsaConfiguration } from './configuration.ts';
import { osaDefaults } from './defaults.ts';
import type { OsaDraft } from './schema/schema.ts';

/** What follows from a definition of kind OpenStackAnsibleMagnum; all of it also works on a draft. */
export interface OsaFacts {
  readonly draft: OsaDraft;
  readonly configuration: OsaConfiguration;
  /** Undefined: the release is wrong. */
  readonly release: OsaRelease | undefined;
  readonly driver: OsaDriver;
  readonly hosts: readonly OsaHostFact[];
  /** True: no host stands in the definition, they come from the configuration. */
  readonly discovered: boolean;
  readonly internalAddress: string;
  readonly externalAddress: string;
}

export interface OsaHostFact {
  readonly name: string;
  readonly address: string;
  readonly containers: number;
  /** Place in `controlPlane.hosts`; -1: discovered. */
  readonly index: number;
}

export function osaFacts(draft: OsaDraft, files: Files): OsaFacts {
  const about = draft.openStackAnsible;
  const configuration = osaConfiguration(about?.configuration ?? [], files);
  const written = draft.controlPlane?.hosts;
  return {
    draft,
    configuration,
    release: about?.release === undefined ? undefined : releases[about.release],
    driver: draft.magnum?.driver ?? osaDefaults.driver,
    hosts: written ? writtenHosts(written) : discoveredHosts(configuration),
    discovered: written === undefined,
    internalAddress: about?.internalAddress ?? configuration.internalAddress,
    externalAddress: about?.externalAddress ?? configuration.externalAddress,
  };
}

type OsaHostsDraft = NonNullable<NonNullable<OsaDraft['controlPlane']>['hosts']>;

const writtenHosts = (written: OsaHostsDraft): readonly OsaHostFact[] =>
  written.flatMap((host, index) =>
    host
      ? [{ name: host.name ?? '', address: host.address ?? '', containers: host.containers ?? 1, index }]
      : [],
  );

/** Who is there already, else the shared infrastructure hosts: three of them, or the first. */
function discoveredHosts(configuration: OsaConfiguration): readonly OsaHostFact[] {
  const there = hostsOfGroup(configuration, 'cluster_api_hosts');
  const candidates =
    there.length > 0
      ? there
      : hostsOfGroup(configuration, 'shared_infra_hosts', 'os_infra_hosts', 'infra_hosts', 'identity_hosts');
  const taken = there.length > 0 ? candidates : candidates.slice(0, candidates.length < 3 ? 1 : 3);
  return taken.map(({ name, address }) => ({ name, address, containers: 1, index: -1 }));
}

/** The versions that hold: those of the release unless written. */
export function versionsOf({ draft, release, driver }: VersionFacts): OsaVersions | undefined {
  if (release === undefined) return undefined;
  const own = { ...release.versions, ...(driver === 'azimuth' ? release.azimuth : {}) };
  const written = Object.entries(draft.versions ?? {}).filter(
    ([key, version]) => key in own && version !== undefined,
  );
  return { ...own, ...(Object.fromEntries(written) as Partial<OsaVersions>) };
}

type VersionFacts = Pick<OsaFacts, 'draft' | 'release' | 'driver'>;

/** What is known of the driver that the definition takes. */
export const driverOf = ({ driver }: Pick<OsaFacts, 'driver'>): MagnumDriver => magnumDrivers[driver];

/** Empty: something is wrong with it. */
export const podSubnetOf = (draft: OsaDraft): string =>
  hasGap(draft, 'controlPlane.podSubnet') ? '' : (draft.controlPlane?.podSubnet ?? osaDefaults.podSubnet);

/** Files whose text a definition of this kind is read with. */
export const osaFilesOf = ({ openStackAnsible }: OsaDraft): readonly string[] =>
  (openStackAnsible?.configuration ?? []).filter((path) => path !== undefined);
