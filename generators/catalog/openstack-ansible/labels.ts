import { compareReleases } from './releases.ts';

/** What a label's value has to be. All of them travel as text. */
export type LabelKind =
  | 'text'
  | 'truth'
  | 'count'
  | 'network'
  | 'networks'
  | 'version'
  | 'policies'
  | 'calico';

/** A label that a driver reads. Versions are those of the driver, at whose tags the sources were searched. */
export interface DriverLabel {
  readonly kind: LabelKind;
  /** Older drivers ignore it. */
  readonly since?: string;
  /** What decides it in our definition, so that it is not written as a label. */
  readonly ours?: string;
  /** All that it may be; any text when left out. */
  readonly values?: readonly string[];
}

export const labelsOfKind = (
  kind: LabelKind,
  names: string,
  more: Omit<DriverLabel, 'kind'> = {},
): [string, DriverLabel][] => names.split(' ').map((name) => [name, { kind, ...more }]);

/** Labels that magnum-cluster-api v0.24.0 to v0.37.0 reads; it ignores all others without a word. */
export const labels: ReadonlyMap<string, DriverLabel> = new Map([
  ...labelsOfKind('version', 'kube_tag', { ours: 'the `kubernetes` of the image' }),
  ...labelsOfKind('text', 'container_infra_prefix', { ours: '`offline.registry`' }),
  ...labelsOfKind(
    'truth',
    'auto_healing_enabled auto_scaling_enabled audit_log_enabled keystone_auth_enabled different_failure_domain',
  ),
  ...labelsOfKind('truth', 'octavia_lb_healthcheck cinder_csi_enabled manila_csi_enabled'),
  ...labelsOfKind('truth', 'master_lb_floating_ip_enabled', { ours: '`floatingAddress` of the cluster' }),
  ...labelsOfKind('truth', 'cilium_hubble_ui_enabled', { since: '0.35.0' }),
  ...labelsOfKind('count', 'max_node_count boot_volume_size etcd_volume_size'),
  ...labelsOfKind('count', 'audit_log_max_age audit_log_max_backup audit_log_max_size'),
  ...labelsOfKind('network', 'calico_ipv4pool cilium_ipv4pool service_cluster_ip_range fixed_subnet_cidr'),
  ...labelsOfKind('calico', 'calico_tag'),
  ...labelsOfKind('version', 'cilium_tag cloud_provider_tag cinder_csi_plugin_tag manila_csi_plugin_tag'),
  ...labelsOfKind(
    'version',
    'csi_attacher_tag csi_liveness_probe_tag csi_node_driver_registrar_tag csi_provisioner_tag csi_resizer_tag csi_snapshotter_tag',
    { since: '0.30.0' },
  ),
  ...labelsOfKind('policies', 'server_group_policies'),
  ...labelsOfKind(
    'text',
    'availability_zone control_plane_availability_zones boot_volume_type etcd_volume_type',
  ),
  ...labelsOfKind('text', 'docker_volume_type dns_cluster_domain octavia_provider octavia_lb_algorithm'),
  ...labelsOfKind('text', 'api_server_cert_sans api_server_tls_cipher_suites kubelet_tls_cipher_suites'),
  ...labelsOfKind(
    'text',
    'oidc_issuer_url oidc_client_id oidc_username_claim oidc_username_prefix oidc_groups_claim',
  ),
  ...labelsOfKind('text', 'oidc_groups_prefix manila_csi_share_network_id'),
  ...labelsOfKind('text', 'api_server_floating_ip', { since: '0.27.0' }),
  ...labelsOfKind('text', 'admission_control_list', { since: '0.31.0' }),
  ...labelsOfKind('text', 'api_server_lb_flavor api_server_lb_availability_zone', { since: '0.32.0' }),
  ...labelsOfKind('text', 'boot_volume_availability_zone', { since: '0.36.1' }),
]);

/** Names that stand in the driver's own documentation or in older ones, and are read by nobody. */
export const misnamedLabels: Readonly<Record<string, string>> = {
  audit_log_maxage: 'audit_log_max_age',
  audit_log_maxbackup: 'audit_log_max_backup',
  audit_log_maxsize: 'audit_log_max_size',
};

/** Between these the driver takes no text for them, and the command line gives nothing else. */
export const isTruthBroken = (label: string, driver: string): boolean =>
  ['cinder_csi_enabled', 'manila_csi_enabled'].includes(label) &&
  compareReleases(driver, '0.30.0') >= 0 &&
  compareReleases(driver, '0.37.0') < 0;

/** Manifests of Calico that a driver has in it; any other `calico_tag` makes no cluster. */
export const calicoOf = (driver: string): readonly string[] =>
  calicoSince.flatMap(([since, tags]) => (compareReleases(driver, since) >= 0 ? tags.split(' ') : []));

const calicoSince: readonly (readonly [string, string])[] = [
  ['0.24.0', 'v3.24.2 v3.25.2 v3.26.5 v3.27.4 v3.28.2 v3.29.0'],
  ['0.29.1', 'v3.29.2'],
  ['0.29.3', 'v3.29.3'],
  ['0.30.0', 'v3.30.0'],
  ['0.31.0', 'v3.30.1 v3.30.2'],
  ['0.35.0', 'v3.31.3'],
  ['0.37.0', 'v3.31.5 v3.32.0'],
];

/** What a driver takes where no `calico_tag` is. */
export const calicoDefault = (driver: string): string =>
  compareReleases(driver, '0.29.1') < 0 ? 'v3.24.2' : (calicoOf(driver).at(-1) ?? '');
