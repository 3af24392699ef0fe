import { releases, type OsaRelease } from '../../catalog/openstack-ansible/releases.ts';
import type { Files } from '../files.ts';
import { hostsOfGroup, osaConfiguration, type OsaConfiguration } from './configuration.ts';
import { osaDefaults } from './defaults.ts';
import type { OsaDraft } from './schema/schema.ts';

/** What follows from a definition of kind OpenStackAnsibleMagnum; all of it also works on a draft. */
export interface OsaFacts {
  readonly draft: OsaDraft;
  readonly configuration: OsaConfiguration;
  /** Undefined: the release is wrong. */
  readonly release: OsaRelease | undefined;
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
export const versionsOf = ({ draft, release }: Pick<OsaFacts, 'draft' | 'release'>) =>
  release && {
    driver: draft.versions?.driver ?? release.versions.driver,
    clusterctl: draft.versions?.clusterctl ?? release.versions.clusterctl,
    clusterApi: draft.versions?.clusterApi ?? release.versions.clusterApi,
    provider: draft.versions?.provider ?? release.versions.provider,
    kubernetes: draft.versions?.kubernetes ?? release.versions.kubernetes,
  };

export const podSubnetOf = (draft: OsaDraft): string =>
  draft.controlPlane?.podSubnet ?? osaDefaults.podSubnet;

/** Files whose text a definition of this kind is read with. */
export const osaFilesOf = ({ openStackAnsible }: OsaDraft): readonly string[] =>
  (openStackAnsible?.configuration ?? []).filter((path) => path !== undefined);
