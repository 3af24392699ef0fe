import { join } from 'node:path';
import { portOf, urlOf } from '../sites.ts';
import { common, withConfiguration, mergeSections, type Service } from '../service.ts';

/** Network functions. */
export const tacker: Service = {
  name: 'tacker',
  type: 'nfv-orchestration',
  configuration: (sites) =>
    mergeSections(common(sites, 'tacker'), {
      DEFAULT: {
        bind_host: sites.address,
        bind_port: portOf(sites, 'tacker'),
        api_paste_config: join(sites.python, 'etc/tacker/api-paste.ini'),
        auth_strategy: 'keystone',
        state_path: join(sites.folder, 'tacker'),
        ...{ api_workers: 1, rpc_workers: 1 },
      },
      vnf_package: { vnf_package_csar_path: join(sites.folder, 'tacker/packages') },
      glance_store: {
        default_backend: 'file',
        filesystem_store_datadir: join(sites.folder, 'tacker/store'),
      },
      vim_keys: { use_barbican: true, openstack: join(sites.folder, 'tacker/keys') },
      k8s_vim: { use_barbican: true },
      coordination: { backend_url: `file://${join(sites.folder, 'tacker/coordination')}` },
      v2_vnfm: { endpoint: urlOf(sites, 'tacker'), kubernetes_vim_rsc_wait_timeout: 180 },
      kubernetes_vim: { stack_retries: 60, stack_retry_wait: 3 },
    }),
  prepare: (sites) => [
    ['mkdir', join(sites.folder, 'tacker/store'), join(sites.folder, 'tacker/packages')],
    withConfiguration(sites, 'tacker', 'tacker-db-manage', 'upgrade', 'head'),
  ],
  programs: (sites) => ({
    'tacker-server': withConfiguration(sites, 'tacker', 'tacker-server'),
    'tacker-conductor': withConfiguration(sites, 'tacker', 'tacker-conductor'),
  }),
  ready: { 'tacker-conductor': 'start method: fork' },
};
