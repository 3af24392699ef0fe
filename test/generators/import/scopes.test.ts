import { describe, expect, test } from 'vitest';
import { importKubespray } from '../../../generators/import/inventory/index.ts';
import { render } from '../../../generators/render.ts';
import { clusterOf, fixtures, made, refusal, wishing } from '../../support/definitions/imports.ts';
import { templates } from '../../support/definitions/templates.ts';

const inventory = (...lines: readonly string[]) => [{ file: 'hosts.ini', text: `${lines.join('\n')}\n` }];
const groups = [
  '[kube_control_plane]',
  'n1',
  '[etcd]',
  'n1',
  '[kube_node]',
  'n2',
  '[all:vars]',
  'ansible_user=ops',
];

describe('variables of groups and machines', () => {
  const imported = importKubespray(fixtures('kubespray/scopes'), wishing());
  const cluster = clusterOf(imported);
  const { kubespray } = cluster;

  test('stay where they belong', () => {
    expect(kubespray.hostVariables).toEqual({
      n1: { kubelet_max_pods: 50 },
      n2: { kubelet_max_pods: 250 },
      n5: { nvidia_accelerator_enabled: true },
    });
    expect(kubespray.groupVariables).toEqual({
      kube_control_plane: { kube_read_only_port: 2 },
      kube_node: { kube_read_only_port: 1 },
    });
    const files = render(cluster, templates);
    const file = (path: string): string =>
      files.find((each) => each.path === `kubespray/${path}`)?.text ?? '';
    expect(file('host_vars/n2.yml')).toContain('kubelet_max_pods: 250');
    expect(file('group_vars/kube_node/extra.yml')).toContain('kube_read_only_port: 1');
  });

  test('are passed on although their names sound like secrets: encryption at rest stays on', () => {
    expect(kubespray.variables).toMatchObject({
      kube_encrypt_secret_data: true,
      kube_encryption_algorithm: 'secretbox',
      kube_webhook_token_auth: true,
    });
  });

  test('keep kube-vip, which holds the address', () => {
    expect(kubespray.variables).toMatchObject({ kube_vip_enabled: true, kube_vip_address: '10.3.0.80' });
    expect(cluster.endpoint).toMatchObject({ address: '10.3.0.80', placement: 'external' });
  });

  test('are listed with their places where no key says them, without secrets', () => {
    const { text, leftOver } = made(imported);
    const paths = leftOver.map(({ path, line }) => `${path}:${line}`);
    expect(paths).toEqual(
      expect.arrayContaining([
        'all.ansible_python_interpreter:2',
        'n2.access_ip:5',
        'n4.ansible_ssh_common_args:7',
        'n4.kube_pods_subnet:7',
        'n5.node_taints[]:8',
        'bastion.colour:9',
        'all.loadbalancer_apiserver.colour:1',
        'all.kube_api_pwd:15',
      ]),
    );
    expect(text).toContain(
      'all.kube_api_pwd (kubespray/scopes/group_vars/all/all.yml:15:15): "(left out; 11 characters)"',
    );
    expect(text).not.toContain('canary');
  });

  test('of both lists of what goes past the proxy come together', () => {
    expect(cluster.proxy.noProxy).toEqual(['.first.example.org', '.second.example.org']);
  });
});

test("kubespray's own balancer on every node is imported, and stays", () => {
  const text = inventory(
    ...['[kube_control_plane]', 'n1 ip=10.3.0.1', 'n2 ip=10.3.0.2', 'n3 ip=10.3.0.3'],
    ...['[etcd]', 'n1', 'n2', 'n3', '[kube_node]', 'n4 ip=10.3.0.4', '[all:vars]', 'ansible_user=ops'],
  );
  const cluster = clusterOf(importKubespray(text, wishing()));
  expect(cluster.endpoint).toMatchObject({
    address: '10.3.0.1',
    port: 6443,
    placement: 'local',
    balancers: [],
  });
  const all = render(cluster, templates).find(
    ({ path }) => path === 'kubespray/group_vars/all/all.yml',
  )?.text;
  expect(all).toContain('loadbalancer_apiserver_localhost: true');
  expect(all).not.toContain('loadbalancer_apiserver:');
  expect(made(importKubespray(text, wishing({ vip: '10.3.0.80/24' }))).assumptions).toContain(
    'until now each node balanced the API for itself: with --vip all of them ask that address',
  );
});

test('an address for others does not take the place of the one that Ansible connects to', () => {
  const text = inventory(
    '[all]',
    'n1 ansible_host=10.3.0.1 access_ip=203.0.113.1',
    'n2 ansible_host=10.3.0.2',
    ...groups,
  );
  const imported = importKubespray(text, wishing());
  expect(clusterOf(imported).machines[0]?.address).toBe('10.3.0.1');
  expect(made(imported).leftOver.map(({ path }) => path)).toEqual(['n1.access_ip']);
});

test("kubespray's own no_floating.yml tells the jump host", () => {
  const args = `-o ProxyCommand="ssh -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -W %h:%p -q ubuntu@203.0.113.4 {% if ansible_ssh_private_key_file is defined %}-i {{ ansible_ssh_private_key_file }}{% endif %}"`;
  const texts = [
    ...inventory('[all]', 'n1 ip=10.3.0.1', 'n2 ip=10.3.0.2', '[no_floating]', 'n2', ...groups),
    { file: 'group_vars/no_floating.yml', text: `ansible_ssh_common_args: '${args}'\n` },
  ];
  expect(clusterOf(importKubespray(texts, wishing())).machines[1]?.ssh.proxyJump).toBe('ubuntu@203.0.113.4');
});

test('a port that is none is a problem', () => {
  const texts = inventory('[all]', 'n1 ip=10.3.0.1 ansible_port=abc', 'n2 ip=10.3.0.2', ...groups);
  expect(refusal(importKubespray(texts, wishing()), texts)).toContain('this is no port');
});

test('a bastion may be called what it likes, since its name is written nowhere', () => {
  const texts = inventory(
    '[all]',
    'n1 ip=10.3.0.1',
    'n2 ip=10.3.0.2',
    ...groups,
    '[bastion]',
    'Bastion_1 ansible_host=203.0.113.9',
  );
  expect(clusterOf(importKubespray(texts, wishing())).machines[0]?.ssh.proxyJump).toBe('ops@203.0.113.9');
});
