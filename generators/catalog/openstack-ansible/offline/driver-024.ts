import type { DriverImages } from './kinds.ts';
import { calicoDefault } from '../labels.ts';

/** Versions by the minor of Kubernetes in the driver v0.24: of the cloud provider, and of the autoscaler. */
const byMinor: Readonly<Record<number, readonly [cloudProvider: string, autoscaler: string]>> = {
  24: ['v1.24.6', 'v1.24.2'],
  25: ['v1.25.6', 'v1.25.2'],
  26: ['v1.26.3', 'v1.26.3'],
  27: ['v1.27.3', 'v1.27.2'],
  28: ['v1.28.2', 'v1.28.5'],
  29: ['v1.29.0', 'v1.29.3'],
  30: ['v1.30.0', 'v1.30.1'],
  31: ['v1.31.1', 'v1.31.0'],
};

/** Minor versions of Kubernetes for which the driver v0.24 knows what belongs to them; it fails on others. */
export const minorsOfOldDriver: readonly number[] = Object.keys(byMinor).map(Number);

/** Images in manifests of the driver v0.24 that depend on nothing. */
const always: readonly string[] = [
  'registry.k8s.io/pause:3.9',
  ...[
    'csi-attacher:v4.2.0',
    'csi-resizer:v1.8.0',
    'nfsplugin:v4.2.0',
    'livenessprobe:v2.8.0',
    'livenessprobe:v2.9.0',
  ].map((each) => `registry.k8s.io/sig-storage/${each}`),
  ...['v2.4.0', 'v2.6.2', 'v2.6.3'].map(
    (tag) => `registry.k8s.io/sig-storage/csi-node-driver-registrar:${tag}`,
  ),
  ...['v3.0.0', 'v3.3.0', 'v3.4.1'].map((tag) => `registry.k8s.io/sig-storage/csi-provisioner:${tag}`),
  ...['v5.0.1', 'v6.2.1'].map((tag) => `registry.k8s.io/sig-storage/csi-snapshotter:${tag}`),
  'registry.k8s.io/provider-os/k8s-keystone-auth:v1.29.0',
];

/** The driver v0.24: what it has in it, and where it looks with `container_infra_prefix`, by its own rules. */
export const oldDriver: DriverImages = {
  always,
  ofTemplate: ({ labels, networkDriver, kubernetes }, driver) => {
    const [provider = '', autoscaler = ''] = byMinor[Number(kubernetes.split('.')[1])] ?? [];
    const plugin = (name: string, label: string): string =>
      `registry.k8s.io/provider-os/${name}:${labels[label] ?? provider}`;
    const calico = labels['calico_tag'] ?? calicoDefault(driver);
    const cilium = labels['cilium_tag'] ?? 'v1.15.3';
    return [
      plugin('openstack-cloud-controller-manager', 'cloud_provider_tag'),
      plugin('cinder-csi-plugin', 'cinder_csi_plugin_tag'),
      plugin('manila-csi-plugin', 'manila_csi_plugin_tag'),
      `registry.k8s.io/autoscaling/cluster-autoscaler:${autoscaler}`,
      ...(networkDriver === 'calico'
        ? ['cni', 'kube-controllers', 'node'].map((name) => `docker.io/calico/${name}:${calico}`)
        : ['cilium', 'operator-generic'].map((name) => `quay.io/cilium/${name}:${cilium}`)),
    ];
  },
  rules: [
    ['docker.io/calico/', 'calico/'],
    ['quay.io/cilium/', 'cilium/'],
  ],
};
