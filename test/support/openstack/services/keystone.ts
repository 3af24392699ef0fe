import { join } from 'node:path';
import { databaseOf, urlOf, type Sites } from '../sites.ts';
import { api, withConfiguration, type Service } from '../service.ts';

/** Who is who, and where everything is: the first of all services. */
export const keystone: Service = {
  name: 'keystone',
  type: 'identity',
  configuration: (sites) => ({
    DEFAULT: { use_stderr: true },
    database: { connection: databaseOf(sites, 'keystone') },
    token: { provider: 'fernet' },
    fernet_tokens: { key_repository: join(sites.folder, 'fernet') },
    fernet_receipts: { key_repository: join(sites.folder, 'fernet') },
    credential: { key_repository: join(sites.folder, 'credential') },
    oslo_policy: { enforce_scope: false },
  }),
  prepare: (sites) => [
    manage(sites, 'db_sync'),
    ...['fernet_setup', 'credential_setup'].map((kind) =>
      manage(sites, kind, '--keystone-user', 'root', '--keystone-group', 'root'),
    ),
    manage(
      sites,
      ...['bootstrap', '--bootstrap-password', sites.password, '--bootstrap-region-id', 'RegionOne'],
      ...['admin', 'internal', 'public'].flatMap((each) => [
        `--bootstrap-${each}-url`,
        `${urlOf(sites, 'keystone')}/v3`,
      ]),
    ),
  ],
  environment: (sites) => ({ OS_KEYSTONE_CONFIG_FILES: join(sites.folder, 'keystone.conf') }),
  programs: (sites) => ({ keystone: api(sites, 'keystone', 'keystone.wsgi.api') }),
};

const manage = (sites: Sites, ...words: readonly string[]): readonly string[] =>
  withConfiguration(sites, 'keystone', 'keystone-manage', ...words);
