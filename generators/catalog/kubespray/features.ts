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
  canal: within([15, 22]),
  ovn4nfv: within([15, 17]),
  custom_cni: within([23, 99]),
  none: within([28, 99]),
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

/** `containerd_registries_mirrors` in place of `containerd_registries`. */
export const hasMirrorList = (minor: number): boolean => minor >= 23;

/** `containerd_registry_auth`; containerd 2 knows it no more. */
export const hasRegistryLogin = within([17, 27]);

/** `crio_registry_auth`. */
export const hasCrioLogin = (minor: number): boolean => minor >= 19;

/** `github_url` and the like: one variable for everything that comes from there. */
export const hasMirrorUrls = (minor: number): boolean => minor >= 25;

/** `auto_renew_certificates_systemd_calendar`. */
export const hasRenewalCalendar = (minor: number): boolean => minor >= 16;

/** Its check asks for a worker. */
export const wantsWorker = (minor: number): boolean => minor < 25;

/** `header` of a mirror in `containerd_registries_mirrors`, in place of `containerd_registry_auth`. */
export const hasMirrorHeaders = (minor: number): boolean => minor >= 29;

/** etcd in containers of Docker, where nothing else is said: no other container manager can run it. */
export const hasEtcdInDocker = (minor: number): boolean => minor < 18;

/** Network plugins whose packets kubespray has a variable for. */
export const hasMtu = (plugin: string): boolean => plugin === 'calico' || plugin === 'cilium';
