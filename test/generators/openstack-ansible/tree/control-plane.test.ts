import { describe, expect, test } from 'vitest';
import { definition, osaOf, treeOf } from '../support.ts';

type Tree = Readonly<Record<string, unknown>>;
const pods = '  podSubnet: 172.29.200.0/22\n';
const at = (text: string): Tree => treeOf(osaOf(text)).get('group_vars/k8s_all/main.yml') as Tree;
const integrated = definition({ '"2025.2"': '"2026.1"' });

describe('until 2025.2', () => {
  test('what OpenStack-Ansible does not wire up is wired up: its playbook uses each of these', () => {
    expect(at(definition())).toMatchObject({
      // The interpreter of every role; the playbook names it without a default.
      ansible_collection_kubernetes_target_venv: '/opt/mcapi_ansible_venv',
      kubelet_hostname: "{{ ansible_facts['hostname'] | lower }}",
      kubelet_node_ip: '{{ management_address }}',
      kubernetes_hostname: '{{ internal_lb_vip_address }}',
      kubernetes_non_init_namespace: true,
      lxc_container_mount_auto: ['proc:rw', 'sys:rw'],
      openstack_host_nf_conntrack_max: 1_572_864,
      // No container runs sshd, so nothing is synchronised into it.
      upload_helm_chart_method: 'copy',
    });
  });

  test.each(['2024.2', '2025.1', '2025.2'])(
    '%s: versions are said, since the collection has no default for them',
    (release) => {
      expect(at(definition({ '"2025.2"': `"${release}"` }))).toMatchObject({
        clusterctl_version: '1.8.4',
        cluster_api_version: '1.8.4',
        cluster_api_infrastructure_provider: 'openstack',
        cluster_api_infrastructure_version: '0.11.2',
        kubernetes_version: '1.28.13',
      });
    },
  );
});

describe('from 2026.1 on', () => {
  test('nothing is said but what the definition decides', () => {
    expect(at(integrated)).toEqual({
      cilium_ipv4_cidr: '172.29.200.0/22',
      clusterctl_version: '1.13.2',
      cluster_api_version: '1.13.2',
      cluster_api_infrastructure_provider: 'openstack',
      cluster_api_infrastructure_version: '0.14.4',
      kubernetes_version: '1.36.1',
      kubernetes_control_plane_group: 'k8s_container',
    });
  });

  test('backups are switched on where they are wanted', () => {
    const text = integrated.replace(pods, `${pods}  backups: enabled\n`);
    expect(at(text)['cluster_api_backups_enabled']).toBe(true);
  });
});
