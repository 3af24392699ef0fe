import { describe, expect, test } from 'vitest';
import { importKubespray } from '../../../../generators/import/inventory/index.ts';
import { clusterOf, made, refusal, wishing } from '../../../support/definitions/imports.ts';

const inventory = (...lines: readonly string[]) => [
  {
    file: 'hosts.ini',
    text: `${[
      '[kube_control_plane]\nm1 ip=10.0.0.1\n[etcd]\nm1\n[kube_node]\nw1 ip=10.0.0.2\n[all:vars]\nansible_user=ops',
      ...lines,
    ].join('\n')}\n`,
  },
];

const warningsOf = (texts: ReturnType<typeof inventory>): string =>
  made(importKubespray(texts, wishing()))
    .warnings.map(({ message, remedy }) => `${message} | ${remedy}`)
    .join('\n');

describe('hosts that are no machines', () => {
  test.each([['localhost'], ['runner ansible_connection=local']])('%s is where Ansible runs', (host) => {
    const texts = inventory('[tools]', host);
    expect(clusterOf(importKubespray(texts, wishing())).machines.map(({ name }) => name)).toEqual([
      'm1',
      'w1',
    ]);
    expect(warningsOf(texts)).toContain('is where Ansible itself runs, so it becomes no machine');
  });

  test('are jump hosts, of which the first one is taken and the others are told', () => {
    const texts = inventory('[bastion]\nb1 ansible_host=203.0.113.1\nb2 ansible_host=203.0.113.2');
    const { machines } = clusterOf(importKubespray(texts, wishing()));
    expect(machines.map(({ name, ssh }) => [name, ssh.proxyJump])).toEqual([
      ['m1', 'ops@203.0.113.1'],
      ['w1', 'ops@203.0.113.1'],
    ]);
    expect(warningsOf(texts)).toContain('so b2 is not taken over | `proxyJump` of the machines');
  });

  test('are no jump hosts that are nodes', () => {
    const texts = inventory('[bastion]\nm1');
    const { machines } = clusterOf(importKubespray(texts, wishing()));
    expect(machines.map(({ name, ssh }) => [name, ssh.proxyJump])).toEqual([
      ['m1', ''],
      ['w1', 'ops@m1'],
    ]);
  });
});

describe('taints', () => {
  const own = 'node_taints=["node-role.kubernetes.io/control-plane:NoSchedule"]';

  test('that a control plane has anyway are not written', () => {
    const texts = inventory('[kube_control_plane:vars]', own);
    expect(clusterOf(importKubespray(texts, wishing())).machines[0]?.taints).toEqual([]);
    expect(made(importKubespray(texts, wishing())).leftOver).toEqual([]);
  });

  test('that no worker has are told where they stand', () => {
    const texts = inventory('[kube_node:vars]', own);
    expect(refusal(importKubespray(texts, wishing()), texts)).toContain('hosts.ini:10:1: ');
  });
});

test('another way among nodes than their addresses is told, since a run ends it', () => {
  const texts = inventory('[kube_node:vars]', 'access_ip=203.0.113.2');
  expect(warningsOf(texts)).toContain(
    'nodes and members of etcd reach w1 at 203.0.113.2 until now, and at 10.0.0.2 from now on',
  );
  expect(made(importKubespray(texts, wishing())).leftOver.map(({ path }) => path)).toEqual([
    'kube_node.access_ip',
  ]);
  expect(warningsOf(inventory('[kube_node:vars]', 'access_ip=10.0.0.2'))).not.toContain('from now on');
});

test('what a group says wrong of all its members is told once', () => {
  const texts = inventory('ansible_ssh_private_key_file={{ inventory_dir }}/key');
  expect(warningsOf(texts).match(/it is no absolute path/g)).toHaveLength(1);
});

test('another name of a node than that of its machine is told: playbooks look for it by that', () => {
  const named = (name: string) => warningsOf(inventory('[kube_node:vars]', `kube_override_hostname=${name}`));
  expect(named('edge-w1')).toContain(
    'Kubernetes calls w1 "edge-w1", and playbooks look for a node by the name',
  );
  expect(named('w1')).not.toContain('Kubernetes calls');
  expect(named('{{ inventory_hostname }}')).not.toContain('Kubernetes calls');
});
