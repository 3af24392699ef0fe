import { join } from 'node:path';
import type { Asker } from '../identity.ts';
import { portOf, type Sites } from '../sites.ts';
import { asUser, common, withConfiguration, mergeSections, type Sections, type Service } from '../service.ts';

/** Clusters; `more` is what a deployment adds to its configuration. */
export const magnum = (more: Sections): Service => ({
  name: 'magnum',
  type: 'container-infra',
  path: '/v1',
  configuration: (sites) =>
    mergeSections(
      common(sites, 'magnum'),
      {
        DEFAULT: { state_path: join(sites.folder, 'magnum'), periodic_interval_max: 5 },
        api: {
          ...{ host: sites.address, port: portOf(sites, 'magnum'), workers: 1 },
          api_paste_config: join(sites.python, 'etc/magnum/api-paste.ini'),
        },
        conductor: { workers: 1 },
        certificates: { cert_manager_type: 'x509keypair' },
        keystone_auth: asUser(sites, 'magnum'),
        trust: {
          trustee_domain_name: 'magnum',
          trustee_domain_admin_name: 'trustee-admin',
          trustee_domain_admin_password: sites.password,
          trustee_keystone_interface: 'public',
        },
        ...Object.fromEntries(
          ['cinder', 'glance', 'heat', 'magnum', 'neutron', 'nova', 'octavia'].map((name) => [
            `${name}_client`,
            { region_name: 'RegionOne' },
          ]),
        ),
      },
      { nova_client: { api_version: '2.15' } },
      more,
    ),
  prepare: (sites) => [withConfiguration(sites, 'magnum', 'magnum-db-manage', 'upgrade')],
  identity: trustees,
  programs: (sites) => ({
    magnum: withConfiguration(sites, 'magnum', 'magnum-api'),
    'magnum-conductor': withConfiguration(sites, 'magnum', 'magnum-conductor'),
  }),
});

/** The domain of the users that clusters get, and who makes them there. */
async function trustees(ask: Asker, { password }: Sites): Promise<void> {
  const domain = await ask('domains', { domain: { name: 'magnum' } });
  const user = await ask('users', { user: { name: 'trustee-admin', password, domain_id: domain } });
  const role = await ask('roles?name=admin');
  await ask(`domains/${domain}/users/${user}/roles/${role}`, undefined, 'PUT');
}
