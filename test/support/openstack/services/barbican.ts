import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { databaseOf, urlOf } from '../sites.ts';
import { api, common, mergeSections, type Service } from '../service.ts';

/** Secrets of other services. */
export const barbican: Service = {
  name: 'barbican',
  type: 'key-manager',
  configuration: (sites) =>
    mergeSections(common(sites, 'barbican'), {
      DEFAULT: { host_href: urlOf(sites, 'barbican') },
      queue: { enable: false },
      simple_crypto_plugin: { kek: randomBytes(32).toString('base64') },
      oslo_policy: { enforce_scope: false },
    }),
  prepare: (sites) => [
    [join(sites.python, 'bin/barbican-db-manage'), ...['--dburl', databaseOf(sites, 'barbican'), 'upgrade']],
  ],
  programs: (sites) => ({
    barbican: api(sites, 'barbican', join(sites.python, 'etc/barbican/barbican-api-paste.ini')),
  }),
};
