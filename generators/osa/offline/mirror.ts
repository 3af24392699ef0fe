import type { OpenStackAnsibleMagnum } from '../../cluster.ts';
import { dataFile, type Data } from '../../data-file.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { clusterApiImages, controlPlaneFiles, namedImages, type OfflineFile } from './control-plane.ts';
import { workloadImages, workloadTarget } from './workload.ts';

/** Where the list lies in the bundle. */
export const mirrorPath = 'files/osa/mirror.yml';

/** An image, and where it is looked for. */
export interface MirroredImage {
  readonly source: string;
  readonly target: string;
}

/** The path of a file below the mirror's: its URL without the scheme. */
export const mirroredPath = ({ url }: Pick<OfflineFile, 'url'>): string => url.replace(/^https?:\/\//, '');

/** The last part of an image's name, with its tag. */
const base = (image: string): string => image.slice(image.lastIndexOf('/') + 1);

/** Where a role is told to look for an image that a variable names. */
export const namedTarget = (image: string, registry: string): string =>
  `${registry}/${image.slice(image.indexOf('/') + 1)}`;

/** Every image but those of Kubernetes itself, each once, sorted. */
export function mirroredImages(osa: OpenStackAnsibleMagnum): readonly MirroredImage[] {
  const { registry } = osa.offline;
  const all = [
    ...Object.values(namedImages).map((source) => ({ source, target: namedTarget(source, registry) })),
    ...clusterApiImages(osa.versions).map((source) => ({ source, target: `${registry}/${base(source)}` })),
    ...workloadImages(osa).map((source) => ({ source, target: workloadTarget(source, registry) })),
  ];
  return [...new Map(all.map((each) => [each.target, each])).values()].sort((one, other) =>
    one.target < other.target ? -1 : 1,
  );
}

/** What `osa-mirror` copies. The images of a version of Kubernetes are what its own kubeadm says. */
export const mirrorFile = (name: string, osa: OpenStackAnsibleMagnum): RenderedFile =>
  dataFile(name, mirrorPath, {
    why: 'what comes from mirrors: files with their sums, images with where they are looked for',
    data: {
      registry: osa.offline.registry,
      directory: osa.offline.directory,
      kubernetes: [
        ...new Set([
          `v${osa.versions.kubernetes}`,
          ...osa.workload.templates.map(({ kubernetes }) => kubernetes),
        ]),
      ].sort(),
      files: controlPlaneFiles(osa.versions).map((each) => ({
        url: each.url,
        path: mirroredPath(each),
        sha256: each.sha256,
        beside: each.isBeside,
      })),
      images: mirroredImages(osa).map(({ source, target }): Data => ({ source, target })),
      // Copies of these are the work of whoever keeps the git server; that they are there is checked.
      repositories: osa.offline.repositories.map(({ source, target }): Data => ({ source, target })),
    },
  });

/** Variables of the control plane by which all of it comes from the mirrors; none without them. */
export function offlineVariables(osa: OpenStackAnsibleMagnum): Readonly<Record<string, Data>> {
  const { registry, files } = osa.offline;
  if (registry === '') return {};
  return {
    ...Object.fromEntries(
      controlPlaneFiles(osa.versions).flatMap((each) => [
        ...Object.entries(each.version),
        [`${each.variable}_download_url`, `${files}/${mirroredPath(each)}`],
      ]),
    ),
    kubernetes_image_repository: registry,
    ...Object.fromEntries(
      Object.entries(namedImages).map(([variable, image]) => [variable, namedTarget(image, registry)]),
    ),
    clusterctl_config: { images: { all: { repository: registry } } },
  };
}
