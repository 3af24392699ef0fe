import { join } from 'node:path';
import { api, common, mergeSections, type Service } from '../service.ts';

/** Images, as files. */
export const glance: Service = {
  name: 'glance',
  type: 'image',
  configuration: (sites) =>
    mergeSections(common(sites, 'glance'), {
      DEFAULT: { enabled_backends: 'files:file', show_multiple_locations: false },
      glance_store: { default_backend: 'files' },
      files: { filesystem_store_datadir: join(sites.folder, 'glance/files') },
      os_glance_tasks_store: { filesystem_store_datadir: join(sites.folder, 'glance/tasks') },
      os_glance_staging_store: { filesystem_store_datadir: join(sites.folder, 'glance/staging') },
      paste_deploy: { flavor: 'keystone' },
    }),
  prepare: (sites) => [
    ['mkdir', ...['files', 'tasks', 'staging'].map((name) => join(sites.folder, 'glance', name))],
    ['ln', '--symbolic', join(sites.python, 'etc/glance/glance-api-paste.ini'), sites.folder],
    ['ln', '--symbolic', 'glance.conf', join(sites.folder, 'glance-api.conf')],
    [
      join(sites.python, 'bin/glance-manage'),
      ...['--config-file', join(sites.folder, 'glance.conf'), 'db_sync'],
    ],
  ],
  // Its API knows both files by name alone.
  environment: (sites) => ({ OS_GLANCE_CONFIG_DIR: sites.folder }),
  programs: (sites) => ({ glance: api(sites, 'glance', 'glance.wsgi.api') }),
};
