import { expect, test } from 'vitest';
import { definition, filesWith, osaOf, treeOf, userConfig } from '../support.ts';

type Tree = Readonly<Record<string, unknown>>;
const pods = '  podSubnet: 172.29.200.0/22\n';
const proxy = `${pods}proxy: { hosts: compute_hosts, port: 44356 }\n`;
const at = (text: string): Tree => treeOf(osaOf(text)).get('user_variables_mcapi.yml') as Tree;
const of = (release: string, more = ''): string =>
  definition({ '"2025.2"': `"${release}"`, [pods]: `${proxy}${more}` });

const environment = {
  PROXY_BIND: '{{ management_address }}',
  PROXY_PORT: 44_356,
  POD_IP: '{{ management_address }}',
};
const source = 'https://github.com/vexxhost/magnum-cluster-api';

test.each<[release: string, variables: Tree]>([
  [
    '2024.2',
    {
      magnum_cluster_api_proxy_hosts: 'compute_hosts',
      magnum_cluster_api_proxy_environment: environment,
      mcapi_vexxhost_proxy_install_branch: 'v0.24.2',
      mcapi_vexxhost_proxy_git_repo: source,
    },
  ],
  [
    '2025.2',
    {
      mcapi_vexxhost_proxy_hosts: 'compute_hosts',
      mcapi_vexxhost_proxy_environment: environment,
      magnum_magnum_cluster_api_git_install_branch: 'v0.24.2',
      magnum_magnum_cluster_api_git_repo: source,
    },
  ],
  [
    '2026.1',
    {
      magnum_capi_vexxhost_proxy_hosts: 'compute_hosts',
      magnum_capi_vexxhost_proxy_environment: environment,
      magnum_capi_vexxhost_git_install_branch: 'v0.36.6',
      magnum_capi_vexxhost_git_repo: source,
    },
  ],
])(
  'the proxy of %s is told its hosts, its address and the version of the driver, in words that it reads',
  (release, variables) => {
    expect(at(of(release))).toEqual(variables);
  },
);

test('what the proxy is told stands in no file of a group, where its hosts and their version are not looked for', () => {
  for (const [path, data] of treeOf(osaOf(of('2025.2'))))
    if (path.startsWith('group_vars/')) expect(JSON.stringify(data)).not.toMatch(/proxy_hosts|POD_IP/);
});

test('hooks call the playbooks before Magnum is installed', () => {
  const hooks = definition({ '  configuration': '  hooks: enabled\n  configuration' });
  expect(at(hooks)).toEqual({
    post_setup_infrastructure_hook: 'osa_ops.mcapi_vexxhost.mcapi_control_plane_k8s',
    pre_setup_openstack_hook: 'osa_ops.mcapi_vexxhost.mcapi_magnum_integration',
  });
});

test('addresses of OpenStack-Ansible stay its own to say', () => {
  expect(JSON.stringify([...treeOf(osaOf(definition(), filesWith(userConfig))).values()])).not.toContain(
    '203.0.113.10',
  );
});
