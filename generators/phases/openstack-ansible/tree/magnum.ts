import type { OpenStackAnsibleMagnum, OsaSettings } from '../../../cluster/cluster.ts';
import { expression, type DataByName } from '../../../data-file.ts';
import { offlineMagnumVariables } from '../mirror.ts';

/** DataByName of the group `magnum_all`. */
export const magnumVariables = (osa: OpenStackAnsibleMagnum): DataByName =>
  osa.layout === 'ops' ? opsVariables(osa) : integratedVariables[osa.driver](osa);

const opsVariables = (osa: OpenStackAnsibleMagnum): DataByName => ({
  magnum_magnum_cluster_api_git_install_branch: osa.versions.driver,
  magnum_magnum_cluster_api_git_repo: osa.driverSource,
  magnum_user_pip_packages: [
    expression(
      'git+{{ magnum_magnum_cluster_api_git_repo }}@{{ magnum_magnum_cluster_api_git_install_branch }}#egg=magnum-cluster-api',
    ),
    'kubernetes',
  ],
  magnum_config_overrides: mergeSettings(
    {
      ...ownOptions(osa, {}),
      cluster_template: {
        kubernetes_allowed_network_drivers: osa.networkDrivers.join(','),
        kubernetes_default_network_driver: osa.networkDrivers[0] ?? 'calico',
      },
      certificates: { cert_manager_type: osa.certManager },
      nova_client: { api_version: '2.15' },
      ...autoscaler(osa),
    },
    osa.magnumConfiguration,
  ),
  ...offlineMagnumVariables(osa),
  ...noImages,
});

/** It runs in the control plane, where the registry of workload clusters is not asked. */
const autoscaler = ({ offline }: OpenStackAnsibleMagnum): OsaSettings =>
  offline.registry === '' ? {} : { auto_scaling: { image_repository: offline.registry } };

/** The role writes its own defaults for both files, so an empty one has to be said. */
const vexxhostVariables = (osa: OpenStackAnsibleMagnum): DataByName => ({
  magnum_k8s_driver: 'vexxhost',
  magnum_capi_vexxhost_git_install_branch: osa.versions.driver,
  magnum_capi_vexxhost_git_repo: osa.driverSource,
  ...networkDrivers(osa),
  magnum_config_overrides: mergeSettings(
    {
      ...ownOptions(osa, { ca_file: '', openstack_ca_file: '' }),
      certificates: { cert_manager_type: osa.certManager },
      ...autoscaler(osa),
    },
    osa.magnumConfiguration,
  ),
  ...offlineMagnumVariables(osa),
  ...noImages,
});

/** One file for provider and nodes, and the public endpoints for both, which is what the driver does unless told otherwise. */
const azimuthVariables = (osa: OpenStackAnsibleMagnum): DataByName => ({
  magnum_k8s_driver: 'azimuth',
  magnum_capi_azimuth_git_install_branch: osa.versions.driver,
  magnum_capi_azimuth_git_repo: osa.driverSource,
  magnum_capi_azimuth_helm_charts_version: osa.versions.charts,
  magnum_capi_azimuth_helm_addon_provider_version: osa.versions.addonProvider,
  ...networkDrivers(osa),
  magnum_config_overrides: mergeSettings(
    {
      drivers: { openstack_ca_file: osa.tls.workloadFile },
      capi_helm: { default_helm_chart_version: osa.versions.charts },
      certificates: { cert_manager_type: osa.certManager },
    },
    osa.magnumConfiguration,
  ),
  ...noImages,
});

const integratedVariables = { vexxhost: vexxhostVariables, azimuth: azimuthVariables };

const networkDrivers = (osa: OpenStackAnsibleMagnum): DataByName => ({
  magnum_capi_network_drivers: osa.networkDrivers,
  magnum_capi_network_driver_default: osa.networkDrivers[0] ?? 'calico',
});

/** The option is `endpoint_type`; `endpoint`, which stands in many examples, is read by nobody. */
function ownOptions({ tls }: OpenStackAnsibleMagnum, unsaid: Readonly<Record<string, string>>): OsaSettings {
  const said = (option: string, file: string): Readonly<Record<string, string>> =>
    file === '' ? (unsaid[option] === undefined ? {} : { [option]: '' }) : { [option]: file };
  const drivers = said('openstack_ca_file', tls.workloadFile);
  return {
    ...(Object.keys(drivers).length === 0 ? {} : { drivers }),
    capi_client: { ...said('ca_file', tls.controlFile), endpoint_type: tls.endpointType },
  };
}

/** The role would make images, templates and flavours for drivers that are not this one. */
const noImages: DataByName = { magnum_glance_images: [], magnum_cluster_templates: [], magnum_flavors: [] };

const mergeSettings = (ours: OsaSettings, given: OsaSettings): OsaSettings =>
  Object.fromEntries(
    [...new Set([...Object.keys(ours), ...Object.keys(given)])].map((section) => [
      section,
      { ...ours[section], ...given[section] },
    ]),
  );
