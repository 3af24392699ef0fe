import { calicoDefault } from '../labels.ts';
import type { DriverImages } from './kinds.ts';

/** By the minor of Kubernetes: of the cloud provider (`src/magnum.rs`), and of the autoscaler (`magnum_cluster_api/images.py`). */
const byMinor: Readonly<Record<number, readonly [cloudProvider: string, autoscaler: string]>> = {
  22: ['v1.22.2', 'v1.22.3'],
  23: ['v1.23.4', 'v1.23.1'],
  24: ['v1.24.6', 'v1.24.3'],
  25: ['v1.25.6', 'v1.25.3'],
  26: ['v1.26.4', 'v1.26.8'],
  27: ['v1.27.3', 'v1.27.8'],
  28: ['v1.28.3', 'v1.28.7'],
  29: ['v1.29.1', 'v1.29.5'],
  30: ['v1.30.3', 'v1.30.7'],
  31: ['v1.31.4', 'v1.31.5'],
  32: ['v1.32.1', 'v1.32.7'],
  33: ['v1.33.1', 'v1.33.4'],
  34: ['v1.34.1', 'v1.34.3'],
  35: ['v1.35.0', 'v1.35.0'],
};

/** Both programs have something to say about a version that is not in their tables. */
const belonging = (minor: number): readonly [cloudProvider: string, autoscaler: string] =>
  byMinor[minor] ?? ['v1.35.0', `v1.${minor}.0`];

/** Tags of the container images beside the plugins, by label: `ClusterLabels` in `src/magnum.rs`. */
const sidecars: readonly (readonly [name: string, label: string, tag: string])[] = [
  ['csi-attacher', 'csi_attacher_tag', 'v4.7.0'],
  ['livenessprobe', 'csi_liveness_probe_tag', 'v2.14.0'],
  ['csi-node-driver-registrar', 'csi_node_driver_registrar_tag', 'v2.12.0'],
  ['csi-provisioner', 'csi_provisioner_tag', 'v5.1.0'],
  ['csi-resizer', 'csi_resizer_tag', 'v1.12.0'],
  ['csi-snapshotter', 'csi_snapshotter_tag', 'v8.1.0'],
];

/**
 * The drivers v0.36.2 to v0.36.6, read at tag v0.36.6; what is read here is the same in all of them. `always`:
 * `images.py`, the manifests in `manifests/nfs-csi`, the chart `k8s-keystone-auth`. `rules`: `image_utils.py`, and
 * `get_mirrored_image_name` in `src/addons/*.rs`.
 */
export const rustDriver: DriverImages = {
  always: [
    'registry.k8s.io/pause:3.9',
    ...[
      'nfsplugin:v4.2.0',
      'livenessprobe:v2.8.0',
      'csi-provisioner:v3.3.0',
      'csi-node-driver-registrar:v2.6.2',
    ].map((each) => `registry.k8s.io/sig-storage/${each}`),
    'registry.k8s.io/provider-os/k8s-keystone-auth:v1.29.0',
  ],
  ofTemplate: ({ labels, networkDriver, kubernetes }, driver) => {
    const [provider, autoscaler] = belonging(Number(kubernetes.split('.')[1]));
    const plugin = (name: string, label: string, tag: string): string =>
      `registry.k8s.io/provider-os/${name}:${labels[label] ?? tag}`;
    const calico = labels['calico_tag'] ?? calicoDefault(driver);
    const cilium = labels['cilium_tag'] ?? 'v1.15.3';
    return [
      plugin('openstack-cloud-controller-manager', 'cloud_provider_tag', provider),
      plugin('cinder-csi-plugin', 'cinder_csi_plugin_tag', 'v1.32.0'),
      plugin('manila-csi-plugin', 'manila_csi_plugin_tag', 'v1.32.0'),
      ...sidecars.map(([name, label, tag]) => `registry.k8s.io/sig-storage/${name}:${labels[label] ?? tag}`),
      `registry.k8s.io/autoscaling/cluster-autoscaler:${autoscaler}`,
      ...(networkDriver === 'calico'
        ? ['cni', 'kube-controllers', 'node'].map((name) => `quay.io/calico/${name}:${calico}`)
        : ['cilium', 'operator-generic'].map((name) => `quay.io/cilium/${name}:${cilium}`)),
    ];
  },
  rules: [
    ['quay.io/calico/', 'calico/'],
    ['quay.io/cilium/', 'cilium-'],
  ],
};
