import { expect, test } from 'vitest';
import { importKubespray } from '../../../../../generators/import/inventory/index.ts';
import { clusterOf, made, wishing } from '../../../../support/definitions/imports.ts';

const groups = {
  all: { children: ['bastion', 'k8s_cluster', 'etcd'] },
  bastion: { hosts: ['b1'] },
  etcd: { hosts: ['n1'] },
  k8s_cluster: { children: ['kube_control_plane', 'kube_node'] },
  kube_control_plane: { hosts: ['n1'] },
  kube_node: { hosts: ['n1', 'n2'] },
};

const listed = (hostvars: Readonly<Record<string, object>>, more: object = {}) =>
  importKubespray(
    [{ file: 'list.json', text: JSON.stringify({ _meta: { hostvars }, ...groups, ...more }) }],
    wishing(),
  );

const everywhere = { ansible_user: 'ops', ntp_enabled: true };
const inCluster = { ...everywhere, kube_proxy_mode: 'ipvs', upstream_dns_servers: ['192.0.2.53'] };
const hostvars = {
  b1: { ...everywhere, ansible_host: '203.0.113.1' },
  n1: { ...inCluster, ansible_host: '10.0.0.1', kubelet_max_pods: 50 },
  n2: { ...inCluster, ansible_host: '10.0.0.2', kubelet_max_pods: 60 },
};

test('what a listing says of every host is for all of them, and for those that come', () => {
  const imported = listed(hostvars);
  const { kubespray, machines } = clusterOf(imported);
  expect(kubespray.variables).toEqual({
    ntp_enabled: true,
    kube_proxy_mode: 'ipvs',
    upstream_dns_servers: ['192.0.2.53'],
  });
  expect(kubespray.hostVariables).toEqual({ n1: { kubelet_max_pods: 50 }, n2: { kubelet_max_pods: 60 } });
  expect(machines.map(({ ssh }) => [ssh.user, ssh.host])).toEqual([
    ['ops', '10.0.0.1'],
    ['ops', '10.0.0.2'],
  ]);
  expect(made(imported).warnings[0]).toMatchObject({
    file: 'list.json',
    remedy: 'ansible-inventory --list --export, which says for whom a variable was set',
  });
});

test('a listing that says for whom a variable was set stays as it is', () => {
  const imported = listed(hostvars, { etcd: { hosts: ['n1'], vars: { etcd_data_dir: '/data' } } });
  expect(clusterOf(imported).kubespray.variables).toEqual({});
  expect(made(imported).warnings.some(({ file }) => file === 'list.json')).toBe(false);
});

test('a listing of one host is about that host', () => {
  const imported = importKubespray(
    [
      {
        file: 'list.json',
        text: JSON.stringify({
          _meta: { hostvars: { n1: { ...inCluster, ansible_host: '10.0.0.1' } } },
          kube_control_plane: { hosts: ['n1'] },
        }),
      },
    ],
    wishing(),
  );
  expect(clusterOf(imported).kubespray.hostVariables).toHaveProperty('n1.kube_proxy_mode', 'ipvs');
});
