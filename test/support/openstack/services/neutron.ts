import { join } from 'node:path';
import { asUser, api, common, withConfiguration, mergeSections, type Service } from '../service.ts';

/** Networks that nobody builds: its API and its plugin, without an agent or a driver that would. */
export const neutron: Service = {
  name: 'neutron',
  type: 'network',
  configuration: (sites) =>
    mergeSections(common(sites, 'neutron'), {
      DEFAULT: {
        core_plugin: 'ml2',
        service_plugins: 'router',
        api_paste_config: join(sites.python, 'etc/neutron/api-paste.ini'),
        ...{ rpc_workers: 0, notify_nova_on_port_status_changes: false },
        notify_nova_on_port_data_changes: false,
      },
      nova: asUser(sites, 'nova'),
      ml2: { type_drivers: 'local,flat', tenant_network_types: 'local', mechanism_drivers: '' },
      ml2_type_flat: { flat_networks: '*' },
    }),
  prepare: (sites) => [withConfiguration(sites, 'neutron', 'neutron-db-manage', 'upgrade', 'head')],
  environment: (sites) => ({
    OS_NEUTRON_CONFIG_DIR: sites.folder,
    OS_NEUTRON_CONFIG_FILES: 'neutron.conf',
  }),
  programs: (sites) => ({ neutron: api(sites, 'neutron', 'neutron.wsgi.api') }),
};
