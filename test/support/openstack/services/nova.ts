import { join } from 'node:path';
import { databaseOf, type Sites } from '../sites.ts';
import { asUser, api, common, withConfiguration, mergeSections, type Service } from '../service.ts';

/** Flavors, key pairs and groups of servers: its API without a machine that computes. */
export const nova: Service = {
  name: 'nova',
  type: 'compute',
  path: '/v2.1',
  databases: ['nova_api', 'nova_cell0'],
  configuration: (sites) =>
    mergeSections(common(sites, 'nova'), {
      DEFAULT: { state_path: join(sites.folder, 'nova') },
      api_database: { connection: databaseOf(sites, 'nova_api') },
      neutron: asUser(sites, 'nova'),
      placement: asUser(sites, 'nova'),
      service_user: asUser(sites, 'nova'),
    }),
  prepare: (sites) => [
    manage(sites, 'api_db', 'sync'),
    manage(sites, 'cell_v2', 'map_cell0'),
    manage(sites, 'db', 'sync'),
    manage(sites, 'cell_v2', 'create_cell', '--name', 'cell1'),
  ],
  environment: (sites) => ({
    OS_NOVA_CONFIG_DIR: sites.folder,
    OS_NOVA_CONFIG_FILES: `${join(sites.python, 'etc/nova/api-paste.ini')};nova.conf`,
  }),
  programs: (sites) => ({ nova: api(sites, 'nova', 'nova.wsgi.osapi_compute') }),
};

const manage = (sites: Sites, ...words: readonly string[]): readonly string[] =>
  withConfiguration(sites, 'nova', 'nova-manage', ...words);
