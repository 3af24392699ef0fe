import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

/** Where the services of one OpenStack lie and listen; all on loopback. */
export interface Sites {
  readonly folder: string;
  /** The virtual environment. */
  readonly python: string;
  readonly password: string;
  readonly ports: Readonly<
    Record<'amqp' | 'barbican' | 'database' | 'distribution' | 'epmd' | 'keystone' | 'tacker', number>
  >;
}

type Sections = Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;

const ini = (sections: Sections): string =>
  Object.entries(sections)
    .map(([section, entries]) =>
      [`[${section}]`, ...Object.entries(entries).map(([key, value]) => `${key} = ${value}`), ''].join('\n'),
    )
    .join('\n');

export const urlOf = ({ ports }: Sites, service: keyof Sites['ports']): string =>
  `http://127.0.0.1:${ports[service]}`;

export const databaseOf = ({ ports, password }: Sites, name: string): string =>
  `mysql+pymysql://openstack:${password}@127.0.0.1:${ports.database}/${name}?charset=utf8mb3`;

const brokerOf = ({ ports, password }: Sites): string =>
  `rabbit://openstack:${password}@127.0.0.1:${ports.amqp}/`;

/** How a service asks Keystone about tokens. */
const asUser = (sites: Sites, username: string): Sections[string] => ({
  www_authenticate_uri: `${urlOf(sites, 'keystone')}/v3`,
  auth_url: `${urlOf(sites, 'keystone')}/v3`,
  auth_type: 'password',
  ...{ username, password: sites.password, project_name: 'service' },
  ...{ user_domain_name: 'Default', project_domain_name: 'Default' },
});

export const keystoneConfiguration = (sites: Sites): string =>
  ini({
    DEFAULT: { use_stderr: true },
    database: { connection: databaseOf(sites, 'keystone') },
    token: { provider: 'fernet' },
    fernet_tokens: { key_repository: join(sites.folder, 'fernet') },
    fernet_receipts: { key_repository: join(sites.folder, 'fernet') },
    credential: { key_repository: join(sites.folder, 'credential') },
    oslo_policy: { enforce_scope: false },
  });

export const barbicanConfiguration = (sites: Sites): string =>
  ini({
    DEFAULT: {
      use_stderr: true,
      host_href: urlOf(sites, 'barbican'),
      transport_url: brokerOf(sites),
    },
    database: { connection: databaseOf(sites, 'barbican') },
    queue: { enable: false },
    keystone_authtoken: asUser(sites, 'barbican'),
    simple_crypto_plugin: { kek: randomBytes(32).toString('base64') },
    oslo_policy: { enforce_scope: false },
  });

export const tackerConfiguration = (sites: Sites): string =>
  ini({
    DEFAULT: {
      use_stderr: true,
      bind_host: '127.0.0.1',
      bind_port: sites.ports.tacker,
      api_paste_config: join(sites.python, 'etc/tacker/api-paste.ini'),
      auth_strategy: 'keystone',
      state_path: join(sites.folder, 'tacker'),
      transport_url: brokerOf(sites),
      ...{ api_workers: 1, rpc_workers: 1 },
    },
    database: { connection: databaseOf(sites, 'tacker') },
    vnf_package: { vnf_package_csar_path: join(sites.folder, 'tacker/packages') },
    glance_store: {
      default_backend: 'file',
      filesystem_store_datadir: join(sites.folder, 'tacker/store'),
    },
    keystone_authtoken: asUser(sites, 'tacker'),
    vim_keys: { use_barbican: true, openstack: join(sites.folder, 'tacker/keys') },
    k8s_vim: { use_barbican: true },
    oslo_concurrency: { lock_path: join(sites.folder, 'tacker/locks') },
    coordination: { backend_url: `file://${join(sites.folder, 'tacker/coordination')}` },
    v2_vnfm: { endpoint: urlOf(sites, 'tacker'), kubernetes_vim_rsc_wait_timeout: 180 },
    kubernetes_vim: { stack_retries: 60, stack_retry_wait: 3 },
  });
