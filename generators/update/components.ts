/** Software that a definition names by version, and where its project publishes what a definition says of it. */
export interface Component {
  readonly name: ComponentName;
  /** The mapping of the definition that has its `version`. */
  readonly at: readonly string[];
  /** Where the releases of a line like `2.3` are listed, and how that list is read: versions like `2.3.7`, final ones only. */
  readonly list: (line: string) => {
    readonly address: string;
    readonly read: (text: string) => readonly string[];
  };
  /** Where the checksum of a version stands; undefined: a definition has none beside it. */
  readonly sum?: (version: string) => SumSource;
}

/** `read` finds the SHA-256 in a text of its project; `undefined`: nobody publishes one, so it is that of the file itself. */
export interface SumSource {
  readonly address: string;
  readonly read: ((text: string) => string | undefined) | undefined;
}

export const componentNames = [
  'kubernetes',
  'containerd',
  'runc',
  'flannel',
  'calico',
  'cilium',
  'helm',
] as const;

export type ComponentName = (typeof componentNames)[number];

const plugin = ['network', 'plugin'];
const archive = ['containerd', 'archive'];
const gitHub = 'https://github.com';

/** In the order in which they are decided: which containerd fits depends on Kubernetes, which runc on containerd. */
export const components: readonly Component[] = [
  {
    name: 'kubernetes',
    at: ['installer', 'kubeadm'],
    list: (line) => ({ address: `https://dl.k8s.io/release/stable-${line}.txt`, read: finalIn }),
  },
  {
    name: 'containerd',
    at: archive,
    list: gitHubReleases('containerd/containerd'),
    sum: (version) => {
      const name = `containerd-${version}-linux-amd64.tar.gz`;
      return sumFromList(
        `${gitHub}/containerd/containerd/releases/download/v${version}/${name}.sha256sum`,
        name,
      );
    },
  },
  {
    name: 'runc',
    at: [...archive, 'runc'],
    list: gitHubReleases('opencontainers/runc'),
    sum: (version) =>
      sumFromList(`${gitHub}/opencontainers/runc/releases/download/v${version}/runc.sha256sum`, 'runc.amd64'),
  },
  {
    name: 'flannel',
    at: [...plugin, 'flannel'],
    list: gitHubReleases('flannel-io/flannel'),
  },
  {
    name: 'calico',
    at: [...plugin, 'calico'],
    list: gitHubReleases('projectcalico/calico'),
    sum: (version) =>
      file(`https://raw.githubusercontent.com/projectcalico/calico/v${version}/manifests/calico.yaml`),
  },
  {
    name: 'cilium',
    at: [...plugin, 'cilium'],
    list: () => ({
      address: charts,
      read: (text) => chartsIn(text).flatMap(({ version }) => finalIn(version)),
    }),
    sum: (version) => ({
      address: charts,
      read: (text) => chartsIn(text).find((chart) => chart.version === version)?.digest,
    }),
  },
  {
    name: 'helm',
    at: [...plugin, 'cilium', 'helm'],
    list: gitHubReleases('helm/helm'),
    sum: (version) => {
      const name = `helm-v${version}-linux-amd64.tar.gz`;
      return sumFromList(`https://get.helm.sh/${name}.sha256sum`, name);
    },
  },
];

const charts = 'https://helm.cilium.io/index.yaml';

const file = (address: string): SumSource => ({ address, read: undefined });

/** A list as `sha256sum` writes it. */
const sumFromList = (address: string, name: string): SumSource => ({
  address,
  read: (text) =>
    text
      .split('\n')
      .map((line) => /^([0-9a-f]{64}) [ *](\S+)\s*$/i.exec(line))
      .find((found) => found?.[2] === name)?.[1]
      ?.toLowerCase(),
});

/** A text that is nothing but the version of a final release. */
const finalIn = (text: string): readonly string[] => /^v?(\d+\.\d+\.\d+)\s*$/.exec(text)?.slice(1) ?? [];

function gitHubReleases(repository: string): Component['list'] {
  const address = `https://api.github.com/repos/${repository}/releases?per_page=100`;
  return () => ({ address, read: releasesIn });
}

function releasesIn(text: string): readonly string[] {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(found)) return [];
  return (found as readonly unknown[]).flatMap((each) => {
    const { tag_name: tag, draft, prerelease } = (each ?? {}) as Readonly<Record<string, unknown>>;
    return typeof tag === 'string' && draft !== true && prerelease !== true ? finalIn(tag) : [];
  });
}

interface Chart {
  readonly version: string;
  readonly digest: string;
}

/** Entries of a chart repository's index: each has its digest and version as lines of its own. */
const chartsIn = (text: string): readonly Chart[] =>
  text.split(/^ {2}- /m).flatMap((entry) => {
    const digest = /^ {4}digest: ([0-9a-f]{64})$/m.exec(entry)?.[1];
    const version = /^ {4}version: "?v?([\w.+-]+)"?$/m.exec(entry)?.[1];
    const isCilium = /^ {4}name: cilium$/m.test(entry);
    return digest !== undefined && version !== undefined && isCilium ? [{ version, digest }] : [];
  });
