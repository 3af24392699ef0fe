/** What versions of kubespray differ in, by minor version: 28 is v2.28. */
type Span = readonly [since: number, until: number];

const always = (minor: number): boolean => minor >= 15;
const within =
  ([since, until]: Span) =>
  (minor: number): boolean =>
    minor >= since && minor <= until;

/** Network plugins that its inventory check lets pass. */
export const networkPlugins: Readonly<Record<string, (minor: number) => boolean>> = {
  calico: always,
  cilium: always,
  flannel: always,
  'kube-ovn': always,
  'kube-router': always,
  macvlan: always,
  cni: always,
  cloud: always,
  weave: within([15, 28]),
  canal: within([15, 21]),
  ovn4nfv: within([15, 17]),
  custom_cni: within([22, 99]),
  none: within([27, 99]),
};

/** Groups with hyphens, and their folder of variables. */
export const hasOldGroups = (minor: number): boolean => minor < 16;

/** `playbooks/facts.yml` in place of `facts.yml`. */
export const hasPlaybookFolder = (minor: number): boolean => minor >= 22;

/** `kube_version: 1.32.8` in place of `v1.32.8`. */
export const hasPlainVersion = (minor: number): boolean => minor >= 28;

/** `ipv4_stack` and `ipv6_stack` in place of `enable_dual_stack_networks`; before, every cluster had IPv4. */
export const hasStacks = (minor: number): boolean => minor >= 28;

export const hasDualStack = (minor: number): boolean => minor >= 16;

/** Mirrors for containerd by a variable of their own. */
export const hasMirrors = (minor: number): boolean => minor >= 16;

/** `containerd_registries_mirrors` in place of `containerd_registries`. */
export const hasMirrorList = (minor: number): boolean => minor >= 23;

/** `containerd_registry_auth`; containerd 2 knows it no more. */
export const hasRegistryLogin = within([17, 27]);

/** `crio_registry_auth`. */
export const hasCrioLogin = (minor: number): boolean => minor >= 17;

/** `crio_registries` is a list of mirrors; before, these were `crio_registries_mirrors`. */
export const hasCrioRegistries = (minor: number): boolean => minor >= 19;

/** `github_url` and the like: one variable for everything that comes from there. */
export const hasMirrorUrls = (minor: number): boolean => minor >= 25;

/** `auto_renew_certificates_systemd_calendar`. */
export const hasRenewalCalendar = (minor: number): boolean => minor >= 16;

/** Its check asks for a worker. */
export const wantsWorker = (minor: number): boolean => minor < 25;

/** `header` of a mirror in `containerd_registries_mirrors`, in place of `containerd_registry_auth`. */
export const hasMirrorHeaders = (minor: number): boolean => minor >= 29;

/** What runs containers where nobody says it, in the defaults of its roles and in its sample inventory. */
export const usualManager = (minor: number): 'docker' | 'containerd' =>
  minor < 18 ? 'docker' : 'containerd';

/** etcd in containers of Docker, where nothing else is said: no other container manager can run it. */
export const hasEtcdInDocker = (minor: number): boolean => minor < 18;

/** Network plugins whose packets kubespray has a variable for. */
export const hasMtu = (plugin: string): boolean => plugin === 'calico' || plugin === 'cilium';

/** cilium's containers may not write into folders of another user than root: since cilium came by its own program. */
export const wantsRoot = (plugin: string, minor: number): boolean => plugin === 'cilium' && minor >= 28;

/** cilium has IPv6 only where it is told so; later it follows the cluster. */
export const wantsFamilies = (plugin: string, minor: number): boolean =>
  plugin === 'cilium' && hasDualStack(minor) && !hasStacks(minor);

/**
 * `recover-control-plane.yml` includes playbooks in a way that ansible-core 2.12 refuses, which `requirements.txt` of the tag
 * brings; it reads with the file of 2.11 beside it.
 */
export const requirementsOf = (minor: number): string =>
  minor === 19 || minor === 20 ? 'requirements-2.11.txt' : 'requirements.txt';

/** Variables that `cluster.yml` brings to a running cluster; all others are in static pods, which only an upgrade writes. */
export const isBroughtByCluster = (variable: string): boolean =>
  /^(?:(?:enable_)?nodelocaldns|dns_|coredns_|upstream_dns|nameservers|searchdomains|resolvconf|ntp_|kubelet_|calico_|cilium_|flannel_|containerd_|crio_|docker_|helm_|metrics_server_|ingress_|cert_manager_|metallb_|registry_|local_(?:path|volume)_|cinder_|system_|download_|additional_sysctl|node_feature_)/.test(
    variable,
  );
