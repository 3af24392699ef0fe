import { join } from 'node:path';
import { api, common, withConfiguration, mergeSections, type Service } from '../service.ts';

/** Types of volumes: its API without a store. */
export const cinder: Service = {
  name: 'cinder',
  type: 'block-storage',
  path: '/v3',
  configuration: (sites) =>
    mergeSections(common(sites, 'cinder'), {
      DEFAULT: {
        auth_strategy: 'keystone',
        state_path: join(sites.folder, 'cinder'),
        api_paste_config: join(sites.python, 'etc/cinder/api-paste.ini'),
      },
    }),
  prepare: (sites) => [withConfiguration(sites, 'cinder', 'cinder-manage', 'db', 'sync')],
  programs: (sites) => ({ cinder: api(sites, 'cinder', 'cinder.wsgi.api') }),
};
