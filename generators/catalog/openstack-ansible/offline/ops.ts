import type { OsaVersions } from '../../../cluster/cluster.ts';
import { missingSums } from '../releases.ts';
import type { Downloads, OfflineFile } from './kinds.ts';

const file = (name: string, url: string, sha256: string, version = {}): OfflineFile => ({
  ...{ url, sha256, version, sums: '', base: url },
  variable: `${name}_download_url`,
});

const github = 'https://github.com';

/** What the roles of the pinned vexxhost.kubernetes download, with the sums that they have for amd64. */
const clusterFiles = ({ kubernetes, clusterctl }: OsaVersions): readonly OfflineFile[] => [
  file(
    'clusterctl',
    `${github}/kubernetes-sigs/cluster-api/releases/download/v${clusterctl}/clusterctl-linux-amd64`,
    missingSums[clusterctl]?.['amd64'] ?? '',
  ),
  file(
    'helm',
    'https://get.helm.sh/helm-v3.11.2-linux-amd64.tar.gz',
    '781d826daec584f9d50a01f0f7dadfd25a3312217a14aa2fbb85107b014ac8ca',
    { helm_version: 'v3.11.2' },
  ),
  file(
    'helm_diff',
    `${github}/databus23/helm-diff/releases/download/v3.8.1/helm-diff-linux-amd64.tgz`,
    'f78867edfde60e2506e3228f706beaf96d1ae3ee5f169f42315acbd513794078',
    { helm_diff_version: 'v3.8.1' },
  ),
  ...['kubeadm', 'kubectl', 'kubelet'].map((name) => {
    const url = `https://dl.k8s.io/release/v${kubernetes}/bin/linux/amd64/${name}`;
    return { ...file(name, url, ''), sums: `${url}.sha256` };
  }),
];

/** What the roles of vexxhost.containers v1.6.7 download, with the sums that they have for amd64. */
const containerFiles: readonly OfflineFile[] = [
  file(
    'containerd',
    `${github}/containerd/containerd/releases/download/v2.3.1/containerd-2.3.1-linux-amd64.tar.gz`,
    '628448bd973610c656c1cbea8e88b32fafd85b23cc1aa4a3372eb7198478c054',
    { containerd_version: '2.3.1' },
  ),
  file(
    'runc',
    `${github}/opencontainers/runc/releases/download/v1.4.2/runc.amd64`,
    'ac8a90f9e225bb9322189937b230cdc5478d5753f0e31e1bda98a5cf06bd9539',
    { runc_version: 'v1.4.2' },
  ),
  file(
    'cni_plugins',
    `${github}/containernetworking/plugins/releases/download/v1.9.1/cni-plugins-linux-amd64-v1.9.1.tgz`,
    'b98f74a0f8522f0a83867178729c1aa70f2158f90c45a2ca8fa791db1c76b303',
    { cni_plugins_version: 'v1.9.1' },
  ),
  file(
    'cri_tools_crictl',
    `${github}/kubernetes-sigs/cri-tools/releases/download/v1.35.0/crictl-v1.35.0-linux-amd64.tar.gz`,
    '2e141e5b22cb189c40365a11807d69b76b9b3caced89fac2f4ec879408ce2177',
    { cri_tools_crictl_version: 'v1.35.0' },
  ),
  file(
    'cri_tools_critest',
    `${github}/kubernetes-sigs/cri-tools/releases/download/v1.35.0/critest-v1.35.0-linux-amd64.tar.gz`,
    '2c27319562246d784f288e98e89a0c3e7a3c6a4b8877d24fe9aad50199fafd7f',
    { cri_tools_critest_version: 'v1.35.0' },
  ),
];

const namedImages: Downloads['named'] = {
  containerd_pause_image: 'registry.k8s.io/pause:3.10',
  cilium_node_image: 'quay.io/cilium/cilium:v1.14.8',
  cilium_operator_image: 'quay.io/cilium/operator-generic:v1.14.8',
  cert_manager_image_cli: 'quay.io/jetstack/cert-manager-ctl:v1.11.5',
  cert_manager_image_controller: 'quay.io/jetstack/cert-manager-controller:v1.11.5',
  cert_manager_image_cainjector: 'quay.io/jetstack/cert-manager-cainjector:v1.11.5',
  cert_manager_image_webhook: 'quay.io/jetstack/cert-manager-webhook:v1.11.5',
  cert_manager_image_acmesolver: 'quay.io/jetstack/cert-manager-acmesolver:v1.11.5',
};

/** The same names at every version that a pinned collection has. */
export const clusterApiImages = ({ clusterApi, provider }: OsaVersions): readonly string[] => [
  ...['cluster-api-controller', 'kubeadm-bootstrap-controller', 'kubeadm-control-plane-controller'].map(
    (name) => `registry.k8s.io/cluster-api/${name}:v${clusterApi}`,
  ),
  `registry.k8s.io/capi-openstack/capi-openstack-controller:v${provider}`,
];

/** Releases until 2025.2. Charts are in the collection. */
export const opsDownloads = (versions: OsaVersions): Downloads => ({
  files: [...clusterFiles(versions), ...containerFiles],
  charts: [],
  named: namedImages,
  tagged: [],
  clusterApi: clusterApiImages(versions),
  more: {},
});
