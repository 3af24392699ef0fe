import { ciliumCapabilities } from '../kubernetes.ts';

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

/** The machine's disk is that of all hosts, and where it has cgroups of version 1, these two may be apart. */
export const kubeletService = `[Service]
Environment="KUBELET_EXTRA_ARGS=--eviction-hard=nodefs.available<1%%,imagefs.available<1%%,memory.available<50Mi --image-gc-high-threshold=100"
ExecStartPre=/bin/sh -c 'cd /sys/fs/cgroup; [ -e cgroup.controllers ] || mountpoint -q cpu || { mount -o remount,rw .; for each in cpu cpuacct; do rm $$each; mkdir $$each; mount -t cgroup -o $$each cgroup $$each; done; }'
`;
