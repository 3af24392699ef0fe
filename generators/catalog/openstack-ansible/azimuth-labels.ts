import { labelsOfKind, type DriverLabel } from './labels.ts';

/** Labels that magnum-capi-helm 1.2.0 to 1.4.0 reads, which are its options `[capi_helm_cluster_labels]`. */
export const azimuthLabels: ReadonlyMap<string, DriverLabel> = new Map([
  // It reads the version in the image; the label is how a template says it.
  ...labelsOfKind('version', 'kube_tag', { ours: 'the `kubernetes` of the image' }),
  ...labelsOfKind('truth', 'master_lb_floating_ip_enabled', { ours: '`floatingAddress` of the cluster' }),
  ...labelsOfKind('text', 'capi_helm_chart_version', { ours: '`versions.charts`' }),
  ...labelsOfKind('truth', 'auto_healing_enabled auto_scaling_enabled keystone_auth_enabled'),
  ...labelsOfKind('truth', 'monitoring_enabled kube_dashboard_enabled octavia_lb_healthcheck'),
  ...labelsOfKind('truth', 'csi_cinder_allow_volume_expansion'),
  ...labelsOfKind('count', 'min_node_count max_node_count boot_volume_size'),
  ...labelsOfKind('count', 'etcd_blockdevice_size etcd_volume_size'),
  ...labelsOfKind('network', 'fixed_subnet_cidr'),
  ...labelsOfKind('networks', 'api_master_lb_allowed_cidrs'),
  ...labelsOfKind('text', 'boot_volume_type octavia_provider octavia_lb_algorithm extra_network_name'),
  ...labelsOfKind('text', 'etcd_blockdevice_volume_type etcd_blockdevice_volume_az etcd_volume_type'),
  ...labelsOfKind('text', 'csi_cinder_availability_zone csi_cinder_fstype'),
  ...labelsOfKind('text', 'etcd_blockdevice_type', { values: ['volume', 'local'] }),
  ...labelsOfKind('text', 'csi_cinder_reclaim_policy', { values: ['Retain', 'Delete'] }),
  ...labelsOfKind('text', 'csi_cinder_volume_binding_mode', {
    since: '1.4.0',
    values: ['WaitForFirstConsumer', 'Immediate'],
  }),
  ...labelsOfKind('text', 'extra_network_names', { since: '1.4.0' }),
]);
