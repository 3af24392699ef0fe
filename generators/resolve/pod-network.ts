import type { PodNetwork, Settings } from '../cluster/cluster.ts';
import { defaults } from '../definition/defaults.ts';
import { fileText, type Files } from '../definition/files.ts';
import { pluginManifestKey } from '../definition/network/plugin-manifest.ts';
import type { Result } from '../result.ts';
import type { Definition } from '../definition/schema/schema.ts';

type PluginDefinition = NonNullable<Definition['network']>['plugin'];
type PinnedPlugin = Omit<PodNetwork, 'mtu'>;

/** The plugin, and where it comes from: with `offline` never from a URL. */
export function resolvePodNetwork(definition: Definition, files: Files): PodNetwork {
  const { network, offline } = definition;
  const chosen = pinPlugin(network?.plugin ?? 'none');
  const key = pluginManifestKey(definition);
  const fetched = { url: offline ? '' : chosen.url, helmUrl: offline ? '' : chosen.helmUrl };
  const brought = key === undefined ? fetched : inBundle(fileText(files, key));
  return { ...chosen, ...brought, mtu: network?.mtu ?? 0 };
}

/** The checks have refused a file that cannot be read. */
const inBundle = (
  text: Result<string, string>,
): Pick<PodNetwork, 'manifest' | 'url' | 'sha256' | 'helmUrl' | 'helmSha256'> => ({
  manifest: text.ok ? text.value : '',
  ...{ url: '', sha256: '', helmUrl: '', helmSha256: '' },
});

function pinPlugin(written: NonNullable<PluginDefinition>): PinnedPlugin {
  if (typeof written === 'string') return { ...nothing, plugin: written };
  const { flannel, calico, cilium } = written;
  if (flannel)
    return { ...nothing, plugin: 'flannel', version: flannel.version, flannel: flannelOf(flannel) };
  if (calico)
    return {
      ...nothing,
      plugin: 'calico',
      ...source(calico, urls.calico),
      encapsulation: calico.encapsulation ?? defaults.network.calico.encapsulation,
    };
  if (!cilium) throw new TypeError('a network plugin without a name passed the reader');
  const helm = cilium.helm ? source(cilium.helm, urls.helm) : texts;
  return {
    ...nothing,
    plugin: 'cilium',
    ...source(cilium, urls.cilium),
    helmUrl: helm.url,
    helmSha256: helm.sha256,
    values: (cilium.values ?? {}) as Settings,
  };
}

type Flannel = NonNullable<Exclude<NonNullable<PluginDefinition>, string>['flannel']>;

function flannelOf(written: Flannel): PodNetwork['flannel'] {
  const { backend, imageRepository, cniPlugin } = { ...defaults.network.flannel, ...written };
  return {
    backend: backend ?? defaults.network.flannel.backend,
    image: `${imageRepository ?? ''}/flannel:v${written.version}`,
    pluginImage: `${imageRepository ?? ''}/flannel-cni-plugin:${cniPlugin ?? ''}`,
  };
}

interface ManifestSource {
  readonly version: string;
  readonly url?: string | undefined;
  readonly sha256?: string | undefined;
}

const source = (
  { version, url, sha256 }: ManifestSource,
  usual: (version: string) => string,
): typeof texts => ({
  version,
  url: url ?? usual(version),
  sha256: sha256 ?? '',
});

/** Where each project publishes it. */
const urls = {
  calico: (version: string) =>
    `https://raw.githubusercontent.com/projectcalico/calico/v${version}/manifests/calico.yaml`,
  cilium: (version: string) => `https://helm.cilium.io/cilium-${version}.tgz`,
  helm: (version: string) => `https://get.helm.sh/helm-v${version}-linux-amd64.tar.gz`,
};

const texts = { version: '', url: '', sha256: '' };

const nothing: PinnedPlugin = {
  plugin: 'none',
  ...texts,
  helmUrl: '',
  helmSha256: '',
  values: {},
  flannel: { backend: '', image: '', pluginImage: '' },
  encapsulation: '',
};
