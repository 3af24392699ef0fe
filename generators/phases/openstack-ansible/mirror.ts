import type { OpenStackAnsibleMagnum } from '../../cluster/cluster.ts';
import { mirroredPackages } from './mirror-packages.ts';
import { dataFile, expression, type Data, type DataByName, type Expression } from '../../data-file.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { downloadsOf, sonobuoyOf } from '../../catalog/openstack-ansible/offline/downloads.ts';
import {
  constraintsSource,
  magnumSource,
  rolesFolder,
} from '../../catalog/openstack-ansible/offline/packages.ts';
import type { OfflineFile } from '../../catalog/openstack-ansible/offline/kinds.ts';
import { pulling, workloadImages, workloadTarget } from '../../catalog/openstack-ansible/offline/workload.ts';

/** Where the list lies in the bundle. */
export const mirrorPath = 'files/osa/mirror.yml';

/** An image, and where it is looked for. */
export interface MirroredImage {
  readonly source: string;
  readonly target: string;
}

/** The path of a file below the mirror's: its URL without the scheme. */
const mirroredPath = (url: string): string => url.replace(/^https?:\/\//, '');

/** The last part of an image's name, with its tag. */
const base = (image: string): string => image.slice(image.lastIndexOf('/') + 1);

/** Where a role is told to look for an image that a variable names. */
const namedTarget = (image: string, registry: string): string =>
  `${registry}/${image.slice(image.indexOf('/') + 1)}`;

/** Every image but those of Kubernetes itself, each once, sorted. */
export function mirroredImages(osa: OpenStackAnsibleMagnum): readonly MirroredImage[] {
  const { registry } = osa.offline;
  const { named, tagged, clusterApi } = downloadsOf(osa);
  const all = [
    ...[...Object.values(named).filter((image) => base(image).includes(':')), ...tagged].map((source) => ({
      source,
      target: namedTarget(source, registry),
    })),
    ...clusterApi.map((source) => ({ source, target: `${registry}/${base(source)}` })),
    ...workloadImages(osa).map((source) => ({
      source,
      target: workloadTarget(source, registry, osa.versions.driver),
    })),
  ];
  return [...new Map(all.map((each) => [each.target, each])).values()].sort((one, other) =>
    one.target < other.target ? -1 : 1,
  );
}

/** What `osa-mirror` copies. The images of a version of Kubernetes are what its own kubeadm says. */
export function mirrorFile(name: string, osa: OpenStackAnsibleMagnum): RenderedFile {
  const { files, charts } = downloadsOf(osa);
  return dataFile(name, mirrorPath, {
    why: 'what comes from mirrors: files with their sums, images with where they are looked for',
    data: {
      registry: osa.offline.registry,
      directory: osa.offline.directory,
      release: { checkout: osa.checkout, roles: rolesFolder },
      constraints: { source: constraintsSource, path: mirroredPath(constraintsSource) },
      kubernetes: [
        ...new Set([`v${osa.versions.kubernetes}`, ...pulling(osa).map(({ kubernetes }) => kubernetes)]),
      ].sort(),
      files: [...files, sonobuoyOf(osa)].map(({ url, sha256, sums }) => ({
        url,
        path: mirroredPath(url),
        sha256,
        sums,
      })),
      charts: charts.map((each) => ({
        repository: each.repository,
        path: mirroredPath(each.repository),
        name: each.name,
        version: each.version,
      })),
      images: mirroredImages(osa).map(({ source, target }): Data => ({ source, target })),
      // Without a place to push to they are the work of whoever keeps the git server; what is pinned is looked for.
      repositories: osa.offline.repositories.map(({ source, target, push, pins }): Data => ({
        source,
        target,
        push,
        pins,
      })),
      ...mirroredPackages(osa),
    },
  });
}

/** DataByName of the control plane by which all of it comes from the mirrors; none without them. */
export function offlineVariables(osa: OpenStackAnsibleMagnum): DataByName {
  const { registry, files: mirror } = osa.offline;
  if (registry === '') return {};
  const { files, charts, named, more } = downloadsOf(osa);
  return {
    ...fileVariables(files, mirror),
    ...Object.fromEntries(
      charts.flatMap((each) => [
        [each.variable, `${mirror}/${mirroredPath(each.repository)}`],
        [each.versionVariable, each.version],
      ]),
    ),
    kubernetes_image_repository: registry,
    ...Object.fromEntries(
      Object.entries(named).map(([variable, image]) => [variable, namedTarget(image, registry)]),
    ),
    ...more,
    clusterctl_config: {
      images: { all: { repository: registry } },
      // It would ask GitHub whether there is a newer one, after each command.
      CLUSTERCTL_DISABLE_VERSIONCHECK: 'true',
    },
  };
}

/** The same for hosts of Magnum, on which Helm is installed too, and for the build of the driver where it is one with Rust. */
export function offlineMagnumVariables(osa: OpenStackAnsibleMagnum): DataByName {
  const { registry, files: mirror, crates, repositories } = osa.offline;
  if (registry === '') return {};
  const helm = downloadsOf(osa).files.filter(({ variable }) => variable.startsWith('helm_'));
  return {
    ...fileVariables(helm, mirror),
    magnum_git_repo: repositories.find(({ source }) => source === magnumSource)?.target ?? magnumSource,
    magnum_upper_constraints_url: constraintsUrl(mirror),
    ...(crates.url === '' || osa.layout === 'ops'
      ? {}
      : { magnum_capi_vexxhost_rust_cargo_config: cargoConfiguration(crates.url) }),
  };
}

/** What OpenStack-Ansible says of constraints goes before ours. */
export const constraintsUrl = (mirror: string): Expression =>
  expression(
    `{{ requirements_git_url | default('${mirror}/${mirroredPath(constraintsSource)}/' ~ requirements_git_install_branch) }}`,
  );

/** What the functional test is told: images of Sonobuoy would come from the internet, so it is there, and not run. */
export const offlineTestVariables = (osa: OpenStackAnsibleMagnum): DataByName =>
  osa.offline.registry === ''
    ? {}
    : { ...fileVariables([sonobuoyOf(osa)], osa.offline.files), sonobuoy_run: false };

const fileVariables = (files: readonly OfflineFile[], mirror: string): DataByName =>
  Object.fromEntries(
    files.flatMap((each) => [
      ...Object.entries(each.version),
      [each.variable, `${mirror}/${mirroredPath(each.base)}`],
    ]),
  );

const cargoConfiguration = (cargo: string): string =>
  [
    '[source.crates-io]',
    'replace-with = "mirror"',
    '[source.mirror]',
    `registry = "sparse+${cargo}/"`,
    '',
  ].join('\n');
