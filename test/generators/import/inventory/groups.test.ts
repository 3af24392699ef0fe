import { describe, expect, test } from 'vitest';
import { importAnsible, importKubespray } from '../../../../generators/import/inventory/index.ts';
import { clusterOf, made, wishing } from '../../../support/definitions/imports.ts';

const machines = (...names: readonly string[]): string =>
  names.map((name, index) => `${name} ip=10.0.0.${index + 1}\n`).join('');

const hostsOf = (...lines: readonly string[]) => [
  { file: 'hosts.ini', text: `${lines.join('\n')}\n[all:vars]\nansible_user=ops\n` },
];

describe('roles by groups', () => {
  const rolesOf = (imported: ReturnType<typeof importKubespray>): readonly string[] =>
    clusterOf(imported).machines.map(({ name, roles }) => `${name}: ${roles.join()}`);

  test('are those of kubespray, and a group `nodes` beside them makes no control plane a worker', () => {
    const texts = hostsOf(
      `[all]\n${machines('m1', 'w1')}`,
      '[kube_control_plane]\nm1\n[etcd]\nm1\n[kube_node]\nw1',
      '[nodes:children]\nkube_control_plane\nkube_node',
    );
    expect(rolesOf(importKubespray(texts, wishing()))).toEqual(['m1: control-plane,etcd', 'w1: worker']);
    expect(made(importKubespray(texts, wishing())).leftOver.map(({ path }) => path)).toEqual([
      'nodes.children',
      'nodes.children',
    ]);
  });

  test('are those of `workers` where `nodes` holds masters too', () => {
    const texts = hostsOf(
      `[masters]\n${machines('m1')}[workers]\nw1 ip=10.0.0.9`,
      '[nodes:children]\nmasters\nworkers',
    );
    expect(rolesOf(importAnsible(texts, wishing()))).toEqual(['m1: control-plane,etcd', 'w1: worker']);
  });

  test('are those of `nodes` where nothing is called plainer, though variables lie there for another name', () => {
    const texts = [
      ...hostsOf(`[masters]\n${machines('m1')}[nodes]\nw1 ip=10.0.0.9`),
      { file: 'group_vars/kube_node.yml', text: 'kubelet_max_pods: 50\n' },
    ];
    expect(rolesOf(importKubespray(texts, wishing()))).toEqual(['m1: control-plane,etcd', 'w1: worker']);
  });
});

describe('variables of a group by its old name', () => {
  const groups = (cluster: string): string =>
    `[kube_control_plane]\n${machines('m1')}[etcd]\nm1\n[kube_node]\nm1\n[${cluster}:children]\nkube_control_plane\nkube_node`;
  const old = { file: 'group_vars/k8s-cluster/k8s-cluster.yml', text: 'kubelet_max_pods: 99\n' };

  test('are none where the inventory has the new one alone: Ansible reads nothing of them', () => {
    const texts = [
      ...hostsOf(groups('k8s_cluster')),
      { file: 'group_vars/all.yml', text: 'kubelet_max_pods: 250\n' },
      old,
    ];
    const imported = importKubespray(texts, wishing());
    expect(clusterOf(imported).kubespray.variables).toMatchObject({ kubelet_max_pods: 250 });
    expect(made(imported).leftOver.map(({ path }) => path)).toEqual(['k8s-cluster.kubelet_max_pods']);
    expect(made(imported).warnings).toContainEqual(
      expect.objectContaining({
        file: old.file,
        message: 'no host is in the group k8s-cluster, so its variables are not taken over',
        remedy: 'group_vars of k8s_cluster, if they are meant for it',
      }),
    );
  });

  test('count where hosts are in it', () => {
    const imported = importKubespray([...hostsOf(groups('k8s-cluster')), old], wishing());
    expect(clusterOf(imported).kubespray.variables).toMatchObject({ kubelet_max_pods: 99 });
  });
});
