import type { LabRelease } from './releases.ts';

/** Programs of one published Go module. Its folder of go.mod and go.sum pins all that they are made of. */
export interface ModuleBuild {
  /** Below `lab/kubernetes/sources/`. */
  readonly folder: string;
  /** As people call it. */
  readonly title: string;
  /** Package → the program's path below the build's `bin/`. */
  readonly programs: Readonly<Record<string, string>>;
  readonly tags?: string;
  /** Symbol → value. */
  readonly values: Readonly<Record<string, string>>;
  /** Needs a C compiler, and finds libraries with pkg-config. */
  readonly isC?: boolean;
  /** What the linker is told besides. */
  readonly linker?: string;
}

/** Whatever changes what `go build` makes besides the modules themselves, and the toolchain that makes the same bytes everywhere. */
export const goToolchain = 'go1.26.8';

/** Everything that is built for a release, the quick ones first, so that what is missing is told soon. */
export const modulesOf = (release: LabRelease): readonly ModuleBuild[] => [
  workloads,
  criTools(release),
  runc(release),
  cniPlugins(release),
  flannelPlugin(release),
  flannel(release),
  etcd(release),
  containerd(release),
  coredns(release),
  kubernetes(release),
];

/** What the lab's own images run. */
export const workloads: ModuleBuild = {
  folder: 'lab',
  title: "the lab's own workloads",
  programs: { './echo': 'echo', './nfs': 'nfs' },
  values: {},
};

const criTools = ({ crictl: version }: LabRelease): ModuleBuild => ({
  folder: `cri-tools-${version}`,
  title: `crictl ${version}`,
  programs: { 'sigs.k8s.io/cri-tools/cmd/crictl': 'crictl' },
  values: { 'sigs.k8s.io/cri-tools/pkg/version.Version': version },
});

const runc = ({ runc: version }: LabRelease): ModuleBuild => ({
  folder: `runc-${version}`,
  title: `runc ${version}`,
  programs: { 'github.com/opencontainers/runc': 'runc' },
  tags: 'seccomp',
  values: { 'main.version': version },
  isC: true,
});

const cniPlugins = ({ cniPlugins: version }: LabRelease): ModuleBuild => {
  const of = (kind: string, names: readonly string[]): readonly (readonly [string, string])[] =>
    names.map((name) => [
      `github.com/containernetworking/plugins/plugins/${kind}/${name}`,
      `cni-plugins/${name}`,
    ]);
  return {
    folder: `cni-plugins-${version}`,
    title: `the CNI plugins ${version}`,
    programs: Object.fromEntries([
      ...of('main', ['bridge', 'ipvlan', 'loopback', 'macvlan', 'ptp']),
      ...of('ipam', ['host-local']),
      ...of('meta', ['bandwidth', 'firewall', 'portmap', 'tuning']),
    ]),
    values: {
      'github.com/containernetworking/plugins/pkg/utils/buildversion.BuildVersion': `v${version}`,
    },
  };
};

/** The module of the plugin itself cannot be had; this one held it until it moved there. Go calls both programs flannel. */
const flannelPlugin = ({ flannelPlugin: version }: LabRelease): ModuleBuild => ({
  folder: `flannel-plugin-${version}`,
  title: `flannel's CNI plugin ${version}`,
  programs: { 'github.com/containernetworking/plugins/plugins/meta/flannel': 'flannel-plugin/flannel' },
  values: {},
});

/** Without the backend of one cloud, whose SDK cannot be had; static, as its image is published for another libc. */
const flannel = ({ flannel: version }: LabRelease): ModuleBuild => ({
  folder: `flannel-${version}`,
  title: `flannel ${version}`,
  programs: { 'github.com/flannel-io/flannel': 'flanneld' },
  tags: 'netgo,osusergo',
  values: { 'github.com/flannel-io/flannel/pkg/version.Version': `v${version}` },
  isC: true,
  linker: '-extldflags -static',
});

const etcd = ({ etcd: version }: LabRelease): ModuleBuild => ({
  folder: `etcd-${version}`,
  title: `etcd ${version}`,
  programs: {
    'go.etcd.io/etcd/server/v3': 'etcd',
    'go.etcd.io/etcd/etcdctl/v3': 'etcdctl',
    'go.etcd.io/etcd/etcdutl/v3': 'etcdutl',
  },
  values: {},
});

const containerd = ({ containerd: version }: LabRelease): ModuleBuild => {
  const module = 'github.com/containerd/containerd/v2';
  return {
    folder: `containerd-${version}`,
    title: `containerd ${version}`,
    programs: Object.fromEntries(
      ['containerd', 'containerd-shim-runc-v2', 'ctr'].map((name) => [
        `${module}/cmd/${name}`,
        `containerd/${name}`,
      ]),
    ),
    tags: 'no_btrfs,no_zfs,no_devmapper,no_aufs',
    values: { [`${module}/version.Version`]: `v${version}` },
  };
};

const coredns = ({ coredns: version }: LabRelease): ModuleBuild => ({
  folder: `coredns-${version}`,
  title: `CoreDNS ${version}`,
  programs: { 'github.com/coredns/coredns': 'coredns' },
  values: {},
});

/** Programs of Kubernetes that hosts run themselves, and those that run in pods. */
export const kubernetesPrograms = [
  ...['kubeadm', 'kubectl', 'kubelet'],
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'],
];

/** Names the version in the programs as the project's own releases do. */
export function kubernetesValues({ kubernetes: version }: LabRelease): ModuleBuild['values'] {
  const [major = '', minor = ''] = version.split('.');
  const told = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  return Object.fromEntries(
    ['client-go/pkg/version', 'component-base/version'].flatMap((name) =>
      Object.entries(told).map(([key, value]) => [`k8s.io/${name}.${key}`, value]),
    ),
  );
}

const kubernetes = (release: LabRelease): ModuleBuild => ({
  folder: `kubernetes-${release.kubernetes}`,
  title: `Kubernetes ${release.kubernetes}`,
  programs: Object.fromEntries(kubernetesPrograms.map((name) => [`k8s.io/kubernetes/cmd/${name}`, name])),
  values: kubernetesValues(release),
});
