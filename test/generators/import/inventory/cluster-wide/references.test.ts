import { describe, expect, test } from 'vitest';
import { importKubespray } from '../../../../../generators/import/inventory/index.ts';
import { clusterOf, made, refusal, wishing } from '../../../../support/definitions/imports.ts';

const inventory = (host: string, ...variables: readonly string[]) => [
  {
    file: 'hosts.yml',
    text: [
      `all:\n  vars:\n${['    kube_proxy_mode: ipvs', ...variables.map((line) => `    ${line}`)].join('\n')}\n`,
      `  children:\n    kube_control_plane: { hosts: { n1: ${host} } }\n`,
      '    etcd: { hosts: { n1: null } }\n    kube_node: { hosts: { n1: null } }\n',
    ].join(''),
  },
];

describe('what a machine says by another variable of its own', () => {
  const imported = (host: string, ...variables: readonly string[]) =>
    importKubespray(inventory(host, ...variables), wishing({ user: 'flagged' }));

  test('is its address, the way to it, its port and its user', () => {
    const result = imported(
      '{ ip: 10.3.0.3, ansible_host: "{{ ip }}", access_ip: "{{ ansible_host }}", etcd_member_name: "{{ inventory_hostname }}-x" }',
      'ansible_port: "{{ ssh_port }}"',
      'ssh_port: 2222',
      'ansible_user: "{{ deploy_user }}"',
      'deploy_user: core',
      'ansible_ssh_private_key_file: "/keys/{{ deploy_user }}"',
    );
    const { machines, kubespray } = clusterOf(result);
    expect(machines[0]).toMatchObject({
      address: '10.3.0.3',
      ssh: { host: '10.3.0.3', port: 2222, user: 'core', privateKey: '/keys/core' },
    });
    expect(kubespray.etcdMembers).toEqual({ n1: 'n1-x' });
    expect(made(result).leftOver.map(({ path }) => path)).toEqual(['all.deploy_user']);
  });

  test('is put into a text', () => {
    const { machines } = clusterOf(
      imported('{ ip: 10.3.0.3, ansible_host: "{{ inventory_hostname }}.{{ zone }}" }', 'zone: example.org'),
    );
    expect(machines[0]?.ssh.host).toBe('n1.example.org');
  });

  test('leaves passwords by the name of their variable', () => {
    const result = imported('{ ip: 10.3.0.3, ansible_password: "{{ vault_site }}" }', 'vault_site: canary1');
    expect(made(result).secrets).toEqual([{ variable: 'SITE', what: 'the login password of n1' }]);
    expect(made(result).text).not.toContain('canary');
  });

  test.each([
    ['ansible_host', "\"{{ lookup('dig', 'n1') }}\"", 'the address or the name itself'],
    ['ansible_port', '"{{ ports[0] }}"', 'the value itself, like 22'],
    ['etcd_member_name', '"{{ names[0] }}"', 'the value itself, like etcd1'],
  ])('is refused where only Ansible could work it out: %s', (name, value, right) => {
    const texts = inventory(`{ ip: 10.3.0.3, ${name}: ${value} }`);
    const told = refusal(importKubespray(texts, wishing({ user: 'ops' })), texts);
    expect(told).toContain('this cannot be evaluated here');
    expect(told).toContain(`Fix: ${right}`);
  });

  test('is listed where the person says it instead', () => {
    const result = imported('{ ip: 10.3.0.3 }', "ansible_user: \"{{ lookup('env', 'USER') }}\"");
    expect(clusterOf(result).machines[0]?.ssh.user).toBe('flagged');
    expect(made(result).leftOver.map(({ path }) => path)).toEqual(['all.ansible_user']);
  });
});
