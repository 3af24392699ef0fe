import { asUser, api, common, withConfiguration, mergeSections, type Service } from '../service.ts';

/** Load balancers: its API alone. */
export const octavia: Service = {
  name: 'octavia',
  type: 'load-balancer',
  configuration: (sites) =>
    mergeSections(common(sites, 'octavia'), {
      api_settings: {
        auth_strategy: 'keystone',
        enabled_provider_drivers: 'noop_driver: No operation',
        default_provider_driver: 'noop_driver',
      },
      service_auth: asUser(sites, 'octavia'),
    }),
  prepare: (sites) => [withConfiguration(sites, 'octavia', 'octavia-db-manage', 'upgrade', 'head')],
  programs: (sites) => ({ octavia: api(sites, 'octavia', 'octavia.wsgi.api') }),
};
