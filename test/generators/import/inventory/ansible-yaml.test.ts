import { describe, expect, test } from 'vitest';
import { importKubespray } from '../../../../generators/import/inventory/index.ts';
import type { Text } from '../../../../generators/source/foreign/node.ts';
import { clusterOf, made, refusal, wishing } from '../../../support/definitions/imports.ts';

const hosts: Text = {
  file: 'hosts.ini',
  text: '[kube_control_plane]\nn1 ip=10.3.0.1\n[etcd]\nn1\n[kube_node]\nn1\n',
};
const vault = '$ANSIBLE_VAULT;1.1;AES256\n6162636465\n';
const vaulted = (name: string, tag = '!vault'): readonly Text[] => [
  hosts,
  { file: 'group_vars/all.yml', text: `${name}: ${tag} |\n  ${vault.replace('\n', '\n  ')}` },
];
const user = wishing({ user: 'ops' });

describe('what ansible-vault encrypted where it stands', () => {
  test.each([
    ...[
      'kube_pods_subnet',
      'kube_version',
      'kube_network_plugin',
      'container_manager',
      'kube_apiserver_port',
    ],
    ...['auto_renew_certificates', 'http_proxy', 'no_proxy', 'ipv6_stack'],
  ])('is asked for where a definition needs %s', (name) => {
    const texts = vaulted(name);
    const said = refusal(importKubespray(texts, user), texts);
    expect(said).toContain(`all.yml:1:`);
    expect(said).toContain(`\`${name}\` cannot be evaluated here, and a definition needs its value`);
    expect(said).not.toContain('6162636465');
  });

  test.each(['ansible_host', 'ansible_port', 'etcd_member_name'])('is no %s', (name) => {
    const texts = vaulted(name, '!vault-encrypted');
    expect(refusal(importKubespray(texts, user), texts)).toContain('this cannot be evaluated here');
  });

  test.each(['ansible_user', 'apiserver_loadbalancer_domain_name', 'calico_mtu'])(
    'is listed where nothing needs %s',
    (name) => {
      const found = made(importKubespray(vaulted(name), user));
      expect(found.leftOver.map(({ path }) => path)).toEqual([`all.${name}`]);
      expect(found.text).not.toContain('6162636465');
    },
  );

  test('is a password that is asked for', () => {
    const found = importKubespray(vaulted('ansible_become_password'), user);
    expect(made(found).secrets.map(({ variable }) => variable)).toEqual(['SUDO_PASSWORD']);
  });
});

test('ansible-inventory prints what is encrypted, or not to be evaluated, as mappings', () => {
  const text = JSON.stringify({
    _meta: {
      hostvars: {
        n1: {
          ip: '10.3.0.1',
          ansible_user: { __ansible_unsafe: 'ops' },
          ansible_password: { __ansible_vault: vault },
        },
      },
    },
    ...Object.fromEntries(
      ['kube_control_plane', 'etcd', 'kube_node'].map((group) => [group, { hosts: ['n1'] }]),
    ),
  });
  const found = importKubespray([{ file: 'inventory.json', text }], wishing());
  expect(made(found).leftOver).toEqual([]);
  expect(made(found).secrets.map(({ variable }) => variable)).toEqual(['SSH_PASSWORD']);
  expect(clusterOf(found).machines[0]?.ssh.user).toBe('ops');
});
