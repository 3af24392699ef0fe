import { ciliumCapabilities } from '../kubernetes.ts';
import { osaSources } from './osa-sources.ts';

const someone = { runAsUser: 1000 };

/** What the roles of the control plane are told of a lab: hosts that are containers without some capabilities, a newer Cilium. */
export const lent = {
  lxc_container_cache_files: [
    { src: '/etc/openstack_deploy/kubelet.conf', dest: '/etc/systemd/system/kubelet.service.d/05-lab.conf' },
  ],
  cni_plugins_kernel_modules: [],
  // The only value that the role puts into this section: a container may not ask for a better place in the queue of the out-of-memory killer.
  containerd_max_container_log_line_size:
    '-1\n    restrict_oom_score_adj = true\n    disable_apparmor = true',
  // The module of 1.14.8, which the role names, cannot be had: the lab's own, with the values that its chart has no more taken away.
  cilium_helm_chart_path: '/opt/charts/cilium/',
  cilium_helm_values: {
    ...{ tunnel: null, upgradeCompatibility: null, tunnelProtocol: 'vxlan' },
    ...{ envoy: { enabled: false }, l7Proxy: false, securityContext: { capabilities: ciliumCapabilities } },
  },
  // Its images name no user.
  cert_manager_helm_values: {
    securityContext: someone,
    ...Object.fromEntries(
      ['webhook', 'cainjector', 'startupapicheck'].map((each) => [each, { securityContext: someone }]),
    ),
  },
};

/** Where the site's mirrors are: of images, of OpenStack's own repositories, of the release's upper constraints. */
export const mirrorsOf = (server: string): Readonly<Record<string, unknown>> => ({
  containerd_insecure_registries: [`${server}:5000`],
  openstack_opendev_base_url: `git://${server}`,
  // The role takes constraints from elsewhere only where this is no file; that it is no `git:` either is an oversight.
  requirements_git_repo: `http://${server}:8080/git/openstack/requirements`,
  user_requirements_git_url: `http://${server}:8080/upper-constraints.txt`,
  // In the place of commits: their sources are those of the package index.
  ...Object.fromEntries(
    Object.entries(osaSources)
      .filter(([repository]) => repository.startsWith('openstack/'))
      .map(([, { name, tag }]) => [`${name}_git_install_branch`, tag]),
  ),
});

/** What the roles below Magnum are told: one host of each, of the size of a lab, with what Debian itself has. */
export const small = {
  // Neither MariaDB's nor RabbitMQ's own repository can be reached.
  ...{ galera_install_method: 'distro', rabbitmq_install_method: 'distro' },
  // Wheels lie on one repository server.
  ...{ openstack_repo_server_enable_glusterfs: false, repo_server_systemd_mounts: [] },
  ...{
    galera_innodb_buffer_pool_size: '128M',
    galera_innodb_log_file_size: '64M',
    galera_gcache_size: '64M',
  },
  ...{ memcached_memory: 64, keystone_wsgi_processes: 1, magnum_wsgi_processes: 1 },
  ...{ glance_wsgi_processes: 1, magnum_conductor_workers: 1 },
};

/** The machine's disk is that of all hosts, and where it has cgroups of version 1, these two may be apart. */
export const kubeletService = `[Service]
Environment="KUBELET_EXTRA_ARGS=--eviction-hard=nodefs.available<1%%,imagefs.available<1%%,memory.available<50Mi --image-gc-high-threshold=100"
ExecStartPre=/bin/sh -c 'cd /sys/fs/cgroup; [ -e cgroup.controllers ] || mountpoint -q cpu || { mount -o remount,rw .; for each in cpu cpuacct; do rm $$each; mkdir $$each; mount -t cgroup -o $$each cgroup $$each; done; }'
`;
