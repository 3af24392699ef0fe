import type { OsaVersions } from '../../../cluster/cluster.ts';
import { compareReleases } from '../releases.ts';
import type { Downloads, OfflineFile } from './kinds.ts';
import { clusterApiImages } from './ops.ts';

const github = 'https://github.com';

/** Everything is read at tag 26.6.0 of adriacloud.kubernetes; `roles/<role>/defaults/main.yml` unless another file is named. */
const file = (
  variable: string,
  url: string,
  more: Partial<Omit<OfflineFile, 'url' | 'variable'>>,
): OfflineFile => ({ variable, url, sha256: '', sums: '', base: url, version: {}, ...more });

/** A file whose sum the role asks the publisher for, at the URL of the file with this ending. */
const withSum = (variable: string, url: string, version = {}, end = '.sha256'): OfflineFile =>
  file(variable, url, { sums: `${url}${end}`, version });

/** What OpenStack-Ansible's `openstack.osa.k8s` has its roles download. */
const files = ({ kubernetes, clusterctl }: OsaVersions): readonly OfflineFile[] => [
  file(
    'clusterctl_download_url',
    `${github}/kubernetes-sigs/cluster-api/releases/download/v${clusterctl}/clusterctl-linux-amd64`,
    { sha256: clusterctlSums[clusterctl] ?? '' },
  ),
  withSum('helm_download_url', 'https://get.helm.sh/helm-v3.20.0-linux-amd64.tar.gz', {
    helm_version: 'v3.20.0',
  }),
  file(
    'helm_diff_download_url',
    `${github}/databus23/helm-diff/releases/download/v3.15.7/helm-diff-linux-amd64.tgz`,
    {
      sha256: 'ff7b1b6f3f4fafeac1d0e2c0c82eafac6fa7601bda52396355bf931ecf3a304a',
      version: { helm_diff_version: 'v3.15.7' },
    },
  ),
  ...['kubeadm', 'kubectl', 'kubelet'].map((name) =>
    withSum(`${name}_download_url`, `https://dl.k8s.io/release/v${kubernetes}/bin/linux/amd64/${name}`),
  ),
  {
    ...withSum(
      'containerd_baseurl',
      `${github}/containerd/containerd/releases/download/v2.3.1/containerd-2.3.1-linux-amd64.tar.gz`,
      { containerd_version: '2.3.1' },
      '.sha256sum',
    ),
    base: `${github}/containerd/containerd`,
  },
  file('containerd_runc_baseurl', `${github}/opencontainers/runc/releases/download/v1.4.1/runc.amd64`, {
    base: `${github}/opencontainers/runc`,
    sums: `${github}/opencontainers/runc/releases/download/v1.4.1/runc.sha256sum`,
    version: { containerd_runc_version: '1.4.1' },
  }),
  withSum(
    'kubelet_cni_plugins_url',
    `${github}/containernetworking/plugins/releases/download/v1.9.1/cni-plugins-linux-amd64-v1.9.1.tgz`,
    { kubelet_cni_plugins_version: '1.9.1' },
  ),
  withSum(
    'kubelet_crictl_url',
    `${github}/kubernetes-sigs/cri-tools/releases/download/v1.36.0/crictl-v1.36.0-linux-amd64.tar.gz`,
    { kubelet_crictl_version: '1.36.0' },
  ),
];

/** Those of amd64 in `clusterctl_checksums`. */
const clusterctlSums: Readonly<Record<string, string>> = {
  '1.8.4': 'a7f40cde4e4a4f7119a52713386238ebcfa8691e7683b5afb823439ea81a8729',
  '1.9.6': 'e6a8843b3464eea3c5f98432128a914c5d8e44c2be1f308cf40a72aa98155d8c',
  '1.10.10': 'c80f6e7451355b34cca9f0ddf087bb4fa14a3fcef7833614b3d59e9b4b345036',
  '1.11.6': '4dc9e9e8361b5222437d1494bea905f3242b1d18b8c8eae483e04743b7aaab92',
  '1.12.3': '9b75287b15656a62ece65c8ad7491412cebfd30c78e085a9d61396a50df17349',
  '1.13.2': 'ae1d0a60e7101eb6c5cea650740b3d8d3b50cd8c724a2a375ddd5744df6ea544',
};

const certManager = 'v1.20.2';
const cilium = 'v1.19.4';

/**
 * Envoy of Cilium is no daemon set of its own, since the role says `upgradeCompatibility` 1.14; hubble is off
 * (`roles/cilium/templates/values.yml.j2`). The role cuts `-generic` from the operator's name, and the chart adds it.
 */
const imagesOf = (provider: string): Downloads['named'] => ({
  // Without quotes in the role, so that its own default is 3.1.
  containerd_pause_image: 'registry.k8s.io/pause:3.10',
  cilium_node_image: `quay.io/cilium/cilium:${cilium}`,
  cilium_operator_image: `quay.io/cilium/operator-generic:${cilium}`,
  ...Object.fromEntries(
    ['startupapicheck', 'controller', 'cainjector', 'webhook', 'acmesolver'].map((name) => [
      `cert_manager_image_${name}`,
      `quay.io/jetstack/cert-manager-${name}:${certManager}`,
    ]),
  ),
  ...(hasResourceController(provider)
    ? { cluster_api_openstack_controller_image: 'quay.io/orc/openstack-resource-controller' }
    : {}),
});

/** `roles/cluster_api/tasks/patch.yml`. */
const hasResourceController = (provider: string): boolean => compareReleases(provider, '0.12.0') >= 0;

const resourceController = '2.5.0';

/** Release 2026.1. */
export const integratedDownloads = (versions: OsaVersions): Downloads => ({
  files: files(versions),
  charts: [
    {
      ...{ repository: 'https://helm.cilium.io', name: 'cilium', version: cilium },
      ...{ variable: 'cilium_helm_repo_url', versionVariable: 'cilium_version' },
    },
    {
      ...{ repository: 'https://charts.jetstack.io', name: 'cert-manager', version: certManager },
      ...{ variable: 'cert_manager_helm_repo_url', versionVariable: 'cert_manager_version' },
    },
  ],
  named: imagesOf(versions.provider),
  tagged: hasResourceController(versions.provider)
    ? [`quay.io/orc/openstack-resource-controller:v${resourceController}`]
    : [],
  clusterApi: clusterApiImages(versions),
  more: hasResourceController(versions.provider)
    ? { cluster_api_openstack_controller_version: resourceController }
    : {},
});
