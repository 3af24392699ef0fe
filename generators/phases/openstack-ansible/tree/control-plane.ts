import type { OpenStackAnsibleMagnum } from '../../../cluster/cluster.ts';
import { expression, type Data } from '../../../data-file.ts';
import { offlineVariables } from '../mirror.ts';

/** Variables of the group `k8s_all`. Release 2026.1 has the same by itself but for what the definition decides. */
export const controlPlaneVariables = (osa: OpenStackAnsibleMagnum): Readonly<Record<string, Data>> => ({
  ...decidedSettings(osa),
  ...(osa.layout === 'ops' ? { ...wiring, ...containerVariables(osa) } : backups(osa)),
  ...offlineVariables(osa),
});

/** The collection that is pinned for older releases reads three variables; newer ones derive them from the first. */
const clusterApiVersions = (layout: string, version: string): Readonly<Record<string, Data>> => ({
  cluster_api_version: version,
  ...(layout === 'ops'
    ? {
        cluster_api_core_version: version,
        cluster_api_bootstrap_version: version,
        cluster_api_control_plane_version: version,
      }
    : {}),
});

const decidedSettings = ({
  layout,
  versions,
  controlPlane,
  clusterctlChecksums,
}: OpenStackAnsibleMagnum): Readonly<Record<string, Data>> => ({
  cilium_ipv4_cidr: controlPlane.podSubnet,
  clusterctl_version: versions.clusterctl,
  ...(clusterctlChecksums.length === 0
    ? {}
    : {
        // The pinned collection has the manifests of this version, and not the sum of its program.
        clusterctl_checksums: Object.fromEntries(
          clusterctlChecksums.map(({ architecture, sha256 }) => [
            architecture,
            { [versions.clusterctl]: sha256 },
          ]),
        ),
      }),
  ...clusterApiVersions(layout, versions.clusterApi),
  cluster_api_infrastructure_provider: 'openstack',
  cluster_api_infrastructure_version: versions.provider,
  kubernetes_version: versions.kubernetes,
  // Without containers the group of the containers is empty.
  kubernetes_control_plane_group: controlPlane.placement === 'metal' ? 'k8s_all' : 'k8s_container',
});

const wiring: Readonly<Record<string, Data>> = {
  ansible_collection_kubernetes_target_venv: '/opt/mcapi_ansible_venv',
  kubelet_hostname: expression("{{ ansible_facts['hostname'] | lower }}"),
  kubelet_node_ip: expression('{{ management_address }}'),
  kubernetes_hostname: expression('{{ internal_lb_vip_address }}'),
  kubernetes_non_init_namespace: true,
};

/** kube-proxy cannot set the table of connections from within a container, and none of them runs sshd. */
const containerVariables = ({ controlPlane }: OpenStackAnsibleMagnum): Readonly<Record<string, Data>> => ({
  lxc_container_config_list: controlPlane.system === 'debian' ? ['lxc.apparmor.profile=unconfined'] : [],
  lxc_container_mount_auto: ['proc:rw', 'sys:rw'],
  openstack_host_nf_conntrack_max: 1_572_864,
  upload_helm_chart_method: 'copy',
});

const backups = ({ controlPlane }: OpenStackAnsibleMagnum): Readonly<Record<string, Data>> =>
  controlPlane.backups ? { cluster_api_backups_enabled: true } : {};
