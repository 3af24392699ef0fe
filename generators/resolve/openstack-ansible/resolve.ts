import type { Cluster, OpenStackAnsibleMagnum, OsaHost, OsaSetting } from '../../cluster/cluster.ts';
import { noFiles, type Files } from '../../definition/files.ts';
import { osaDefaults } from '../../definition/openstack-ansible/defaults.ts';
import {
  driverOf,
  osaFacts,
  podSubnetOf,
  versionsOf,
  type OsaFacts,
} from '../../definition/openstack-ansible/derived.ts';
import type { OsaDefinition } from '../../definition/openstack-ansible/schema/schema.ts';
import { resolveBase } from '../base.ts';
import { magnumSource } from '../../catalog/openstack-ansible/offline/packages.ts';
import { misnamedKeys } from '../../catalog/openstack-ansible/haproxy-keys.ts';
import { missingSums, type OsaRelease } from '../../catalog/openstack-ansible/releases.ts';
import { mirroredGit, offlineOf } from './offline-sources.ts';
import { tlsOf, type TlsChoice } from './tls.ts';
import { workloadOf } from './workload.ts';

/** Fills every default of a definition of kind OpenStackAnsibleMagnum. What only a cluster has says "none". */
export function resolveOsa(definition: OsaDefinition, files: Files = noFiles): Cluster {
  const { deployHost, metadata, review, ansibleServer } = definition;
  const base = resolveBase({ metadata, review, ansibleServer, hosts: deployHost ? [deployHost] : [] });
  return {
    ...base,
    secrets: base.secrets.map((use) => ({
      ...use,
      path: use.path.replace(/^hosts\.[^.]+\./, 'deployHost.'),
    })),
    osa: osaOf(definition, osaFacts(definition, files)),
  };
}

function osaOf(definition: OsaDefinition, facts: OsaFacts): OpenStackAnsibleMagnum {
  const { release } = facts;
  const versions = versionsOf(facts);
  if (release === undefined || versions === undefined) throw new TypeError('a release passed the reader');
  const { openStackAnsible: there, controlPlane, magnum, proxy } = definition;
  const collections = collectionsOf(definition, release);
  const driverSource = definition.versions?.driverSource ?? driverOf(facts).source;
  const git = definition.offline?.git ?? '';
  const system = controlPlane.system ?? osaDefaults.system;
  return {
    release: there.release,
    layout: release.layout,
    configurationDirectory: there.configurationDirectory ?? osaDefaults.configurationDirectory,
    checkout: there.checkout ?? osaDefaults.checkout,
    hooks: (there.hooks ?? osaDefaults.hooks) === 'enabled',
    controlPlane: {
      hosts: facts.hosts.map(({ name, address, containers }) => ({ name, address, containers })),
      placement: controlPlane.placement ?? osaDefaults.placement,
      system,
      podSubnet: podSubnetOf(definition),
      bindAddress: there.internalBindAddress ?? '',
      backups: (controlPlane.backups ?? osaDefaults.backups) === 'enabled',
    },
    magnumHosts: hostsOf(magnum?.hosts),
    octaviaHosts: hostsOf(definition.octavia?.hosts),
    driver: facts.driver,
    versions,
    driverSource: mirroredGit(driverSource, git),
    collections: collections.map((each) => ({ ...each, source: mirroredGit(each.source, git) })),
    clusterctlChecksums: checksumsOf(definition, release, versions.clusterctl),
    tls: tlsOf(signersOf(definition, facts), system),
    certManager: magnum?.certManager ?? osaDefaults.certManager,
    networkDrivers: magnum?.networkDrivers ?? osaDefaults.networkDrivers,
    magnumConfiguration: withoutEndpoint(magnum?.configuration ?? {}),
    haproxyService: rename(controlPlane.haproxyService ?? {}),
    proxy: { hosts: proxy?.hosts ?? '', port: proxy?.port ?? osaDefaults.proxyPort },
    functionalTest: functionalTestOf(definition),
    workload: workloadOf(definition, driverOf(facts).templateLabels(versions.driver)),
    offline: offlineOf(definition.offline, [
      { source: driverSource, version: versions.driver },
      { source: magnumSource, version: '' },
      ...collections,
    ]),
  };
}

const signersOf = ({ tls }: OsaDefinition, facts: OsaFacts): TlsChoice => ({
  external: signer(tls?.external ?? osaDefaults.external),
  internal: signer(tls?.internal ?? osaDefaults.internal),
  endpoint: tls?.endpoint ?? driverOf(facts).endpoint,
});

const functionalTestOf = ({
  functionalTest: test,
}: OsaDefinition): OpenStackAnsibleMagnum['functionalTest'] => ({
  kubernetesVersion: test?.kubernetes ?? '',
  imageUrl: test?.imageUrl ?? '',
  externalNetwork: test?.externalNetwork ?? '',
  flavor: test?.flavor ?? '',
  masters: test?.masters ?? osaDefaults.masters,
  workers: test?.workers ?? osaDefaults.workers,
});

const hostsOf = (
  hosts: readonly { readonly name: string; readonly address: string }[] = [],
): readonly OsaHost[] => hosts.map(({ name, address }) => ({ name, address, containers: 1 }));

/** Those of the release, unless the definition has one of the same name; then what else it has. Offline nothing is left to Galaxy. */
function collectionsOf(
  { collections = [], offline }: OsaDefinition,
  release: OsaRelease,
): OsaRelease['collections'] {
  const wanted =
    offline === undefined ? release.collections : [...release.collections, ...release.fromGalaxy];
  const pinned = wanted.map((each) => collections.find(({ name }) => name === each.name) ?? each);
  return [...pinned, ...collections.filter(({ name }) => !pinned.some((each) => each.name === name))];
}

/** Only where the collection that is pinned for the release is the one that is used. */
function checksumsOf(
  { collections = [] }: OsaDefinition,
  { carries }: OsaRelease,
  clusterctl: string,
): OpenStackAnsibleMagnum['clusterctlChecksums'] {
  const isReplaced = collections.some(({ name }) => name.endsWith('.kubernetes'));
  if (isReplaced || carries.clusterctl.includes(clusterctl)) return [];
  return Object.entries(missingSums[clusterctl] ?? {}).map(([architecture, sha256]) => ({
    architecture,
    sha256,
  }));
}

type WrittenSigner = 'osa-pki' | 'public' | 'http' | { readonly file?: string | undefined };

const signer = (written: WrittenSigner): 'osa-pki' | 'public' | 'http' | { readonly file: string } =>
  typeof written === 'string' ? written : { file: written.file ?? '' };

/** The driver would ignore it; `tls` says what was meant. */
const withoutEndpoint = (
  configuration: NonNullable<NonNullable<OsaDefinition['magnum']>['configuration']>,
): OpenStackAnsibleMagnum['magnumConfiguration'] =>
  Object.fromEntries(
    Object.entries(configuration).map(([section, options]) => [
      section,
      Object.fromEntries(
        Object.entries(options).filter(([option]) => section !== 'capi_client' || option !== 'endpoint'),
      ),
    ]),
  );

/** Under the names that are read. */
const rename = (service: Readonly<Record<string, OsaSetting>>): Readonly<Record<string, OsaSetting>> =>
  Object.fromEntries(Object.entries(service).map(([key, value]) => [misnamedKeys[key] ?? key, value]));
