/** Why a variable is not the user's to set, by variable. */
type OwnedVariables = Readonly<Record<string, string>>;

const all = (names: string, why: string): OwnedVariables =>
  Object.fromEntries(names.split(' ').map((name) => [name, why]));

/** Variables of kubespray that follow from other keys of the definition, or that our playbooks give themselves. */
export const ownedVariables: OwnedVariables = {
  ...all(
    'kube_pods_subnet kube_pods_subnet_ipv6 kube_service_addresses kube_service_addresses_ipv6 kube_apiserver_port calico_mtu cilium_mtu ipv4_stack ipv6_stack enable_dual_stack_networks',
    'it follows from `network`',
  ),
  ...all(
    'loadbalancer_apiserver loadbalancer_apiserver_localhost apiserver_loadbalancer_domain_name',
    'it follows from `controlPlaneEndpoint`',
  ),
  ...all('http_proxy https_proxy no_proxy additional_no_proxy no_proxy_exclude_workers', '`proxy` says it'),
  ...all('kube_version', '`kubernetes` beside it says it'),
  ...all('kube_network_plugin', '`networkPlugin` beside it says it'),
  ...all('container_manager', '`containerManager` beside it says it'),
  ...all('supplementary_addresses_in_ssl_keys', '`certificateSans` beside it says it'),
  ...all('auto_renew_certificates auto_renew_certificates_systemd_calendar', '`renewal` beside it says it'),
  ...all(
    'containerd_registries containerd_registries_mirrors containerd_registry_auth containerd_insecure_registries crio_registries crio_registry_auth docker_registry_mirrors',
    '`containerd.registries` says it',
  ),
  ...all(
    'files_repo registry_host kube_image_repo gcr_image_repo github_image_repo docker_image_repo quay_image_repo github_url dl_k8s_io_url storage_googleapis_url get_helm_url',
    '`offline` beside it says it',
  ),
  ...all('credentials_dir artifacts_dir', 'the Ansible server keeps these beside the bundles'),
  ...all('node skip_confirmation delete_nodes_confirmation reset_confirmation', 'the operations give it'),
  ...all('reset_nodes allow_ungraceful_removal etcd_retries serial', 'the operations give it'),
  ...all('ip access_ip ip6 access_ip6 etcd_member_name node_labels node_taints', 'the nodes say it'),
};

/** Variables that only some versions know: the minor versions since and until which they do. */
export const datedVariables: Readonly<Record<string, readonly [since: number, until: number]>> = {
  etcd_kubeadm_enabled: [15, 28],
  kube_vip_enabled: [19, 99],
  ntp_enabled: [20, 99],
  unsafe_show_logs: [20, 99],
};
