import type { Cluster, Settings } from '../cluster/cluster.ts';
import { valuesOfCilium } from '../phases/network/network-cilium.ts';

/** How a file that was fetched is judged. */
export type Checksum =
  /** The definition names it. */
  | { readonly kind: 'pinned'; readonly sha256: string }
  /** Its project publishes a file beside it that begins with the checksum, or that has a line for the file of this name. */
  | { readonly kind: 'published'; readonly address: string; readonly name?: string }
  /** Nobody says: what was fetched once is what SHA256SUMS pins. */
  | { readonly kind: 'none' };

/** A file of the artifacts, and where its project publishes it. */
export interface ArtifactFile {
  /** In the folder of the artifacts. */
  readonly path: string;
  readonly address: string;
  readonly checksum: Checksum;
  /** The file of a compressed archive that is wanted, by its name there; empty: what is fetched itself. */
  readonly member: string;
}

/** What a cluster needs to be installed without any other network, besides the packages of its hosts' systems. */
export interface ArtifactList {
  readonly kubernetes: string;
  readonly files: readonly ArtifactFile[];
  /** Images that are known by name; kubeadm and the network plugin name the others. */
  readonly images: readonly string[];
  /** Registry and path that kubeadm pulls its images from, or empty: its default. */
  readonly imageRepository: string;
  readonly plugin: Cluster['podNetwork']['plugin'];
  /** The manifest of the plugin where it is in the bundle; else empty. */
  readonly pluginManifest: string;
  /** What the chart of cilium is told; else empty. */
  readonly chartValues: Settings;
  /** With Kubernetes' own tests, which name their images. */
  readonly conformance?: boolean;
}

/** From a cluster as it would be installed online, since offline it has no addresses. */
export const neededArtifacts = (cluster: Cluster): ArtifactList => ({
  kubernetes: cluster.kubernetes.version,
  files: [
    ...publishedBinaries(cluster.kubernetes.version),
    ...containerd(cluster.containerd),
    ...plugin(cluster.podNetwork),
  ].sort((a, b) => (a.path < b.path ? -1 : 1)),
  images: [
    cluster.containerd.pauseImage,
    cluster.podNetwork.flannel.image,
    cluster.podNetwork.flannel.pluginImage,
    ...imagesOf(cluster.kubernetes.externalCloudProvider?.objects ?? []),
  ].filter((image) => image !== ''),
  imageRepository: cluster.kubernetes.imageRepository,
  plugin: cluster.podNetwork.plugin,
  pluginManifest: cluster.podNetwork.manifest ?? '',
  chartValues: cluster.podNetwork.plugin === 'cilium' ? valuesOfCilium(cluster) : {},
});

/** Every image that containers in objects of Kubernetes are started from. */
function imagesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.entries(value).filter(([key]) => key === 'image');
  return [
    ...new Set([
      ...own.flatMap(([, image]) => (typeof image === 'string' ? [image] : [])),
      ...Object.values(value).flatMap((each: unknown) => imagesOf(each)),
    ]),
  ];
}

/** The same, with what the conformance tests of the version are made of. */
export const neededForConformance = (needs: ArtifactList): ArtifactList => ({
  ...needs,
  conformance: true,
  files: [...needs.files, conformanceTests(needs.kubernetes)].sort((a, b) => (a.path < b.path ? -1 : 1)),
});

/** As its project publishes them, in `kubernetes/test/bin` of an archive. */
export const testsArchive = 'archives/kubernetes-test.tar.gz';

const conformanceTests = (version: string): ArtifactFile =>
  withPublished({
    path: testsArchive,
    address: `https://dl.k8s.io/release/v${version}/kubernetes-test-linux-amd64.tar.gz`,
  });

/** The programs of Kubernetes and crictl, as their projects publish them. */
export const publishedBinaries = (version: string): readonly ArtifactFile[] => [
  ...['kubeadm', 'kubelet', 'kubectl'].map((name) =>
    withPublished({
      path: `binaries/${name}`,
      address: `https://dl.k8s.io/release/v${version}/bin/linux/amd64/${name}`,
    }),
  ),
  withPublished({ path: 'binaries/crictl', address: crictlAddress(version), member: 'crictl' }),
];

/** One release of cri-tools comes with each minor version of Kubernetes, and has its number. */
function crictlAddress(version: string): string {
  const minor = version.split('.').slice(0, 2).join('.');
  const release = `v${minor}.0`;
  return `https://github.com/kubernetes-sigs/cri-tools/releases/download/${release}/crictl-${release}-linux-amd64.tar.gz`;
}

const containerd = ({ source, archive }: Cluster['containerd']): readonly ArtifactFile[] =>
  source === 'distribution'
    ? []
    : [
        pinnedFile({ path: 'archives/containerd.tar.gz', address: archive.url, sha256: archive.sha256 }),
        pinnedFile({ path: 'binaries/runc', address: archive.runcUrl, sha256: archive.runcSha256 }),
      ];

function plugin({
  plugin: name,
  url,
  sha256,
  helmUrl,
  helmSha256,
  manifest,
}: Cluster['podNetwork']): readonly ArtifactFile[] {
  if (manifest !== undefined) return [standardPlugins];
  switch (name) {
    case 'none':
      return [];
    case 'static-routes':
    case 'flannel':
      return [standardPlugins];
    case 'calico':
      return [pinnedFile({ path: 'manifests/calico.yaml', address: url, sha256 }), standardPlugins];
    case 'cilium':
      return [
        pinnedFile({ path: 'charts/cilium.tgz', address: url, sha256 }),
        {
          ...pinnedFile({ path: 'binaries/helm', address: helmUrl, sha256: helmSha256 }),
          member: 'linux-amd64/helm',
        },
        standardPlugins,
      ];
  }
}

const pinnedFile = ({
  path,
  address,
  sha256,
}: {
  readonly path: string;
  readonly address: string;
  readonly sha256: string;
}): ArtifactFile => ({
  path,
  address,
  checksum: sha256 === '' ? { kind: 'none' } : { kind: 'pinned', sha256 },
  member: '',
});

const withPublished = ({
  path,
  address,
  member = '',
}: {
  readonly path: string;
  readonly address: string;
  readonly member?: string;
}): ArtifactFile => ({
  path,
  address,
  checksum: { kind: 'published', address: `${address}.sha256` },
  member,
});

const pluginsVersion = 'v1.9.1';

/** bridge, loopback, portmap and their like, which every network counts on. */
export const standardPlugins: ArtifactFile = withPublished({
  path: 'archives/cni-plugins.tgz',
  address: `https://github.com/containernetworking/plugins/releases/download/${pluginsVersion}/cni-plugins-linux-amd64-${pluginsVersion}.tgz`,
});
