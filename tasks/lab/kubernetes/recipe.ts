import { createHash } from 'node:crypto';

/** How the lab's Kubernetes is made. Everything that changes it is in here, because its folder is named by the hash of this. */
export interface KubernetesRecipe {
  readonly version: string;
  /** Text of every script and every source of ours, by name. */
  readonly texts: Readonly<Record<string, string>>;
}

/** What Debian's source package holds. */
export const sourceVersion = '1.20.2';

/** Twelve characters that differ whenever a package, a program, an image, a script or a source does. */
export const kubernetesHash = ({ version, texts }: KubernetesRecipe): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        ...[format, version, nodePackages, buildPackages, programs, linkerFlags(version), images(version)],
        Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)),
      ]),
    )
    .digest('hex')
    .slice(0, 12);

/** Counted up when this code packs the same things in another way. */
const format = 1;

/** What nodes install besides Kubernetes itself, offline: these and all they depend on. */
export const nodePackages = [
  ...['containerd', 'runc', 'conntrack', 'socat', 'ethtool', 'iptables', 'ebtables', 'ipset'],
  ...['containernetworking-plugins', 'haproxy', 'keepalived', 'psmisc', 'etcd-client'],
  ...['nfs-common', 'nfs-ganesha', 'nfs-ganesha-vfs', 'e2fsprogs'],
];

/** What the build unpacks; nothing of it is installed. */
export const buildPackages = [
  ...['golang-1.19-go', 'golang-1.19-src', 'golang-github-modern-go-reflect2-dev'],
  ...['etcd-server', 'busybox-static', 'catatonit'],
];

/** What `go build` makes; crictl, coredns, echo and nfs are the lab's stand-ins. */
export const programs = [
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy'],
  ...['kubeadm', 'kubectl', 'crictl', 'coredns', 'echo', 'nfs'],
];

/** Of the programs those that hosts run themselves. */
export const hostPrograms = ['kubeadm', 'kubelet', 'kubectl', 'crictl'];

/** Names the version in the programs as the project's own releases do. */
export const linkerFlags = (version: string): string => {
  const [major, minor] = version.split('.');
  const values = {
    gitVersion: `v${version}`,
    gitMajor: major,
    gitMinor: minor,
    gitCommit: 'faecb196815e248d3ecfb03c680a4507229c2a56',
    gitTreeState: 'archive',
    buildDate: '2021-01-13T13:20:00Z',
  };
  const flags = ['client-go/pkg/version', 'component-base/version'].flatMap((name) =>
    Object.entries(values).map(
      ([key, value]) => `-X k8s.io/kubernetes/vendor/k8s.io/${name}.${key}=${value ?? ''}`,
    ),
  );
  return ['-s', '-w', ...flags].join(' ');
};

/** A container image: which files of the build it holds where, and what it starts. */
export interface ImageRecipe {
  readonly reference: string;
  /** Which hosts import it: control planes take both sets. */
  readonly set: 'control-plane' | 'node';
  readonly entrypoint: readonly string[];
  /** Path in the image → path below the build folder. */
  readonly files: Readonly<Record<string, string>>;
  /** A folder of the build that is the image's root. */
  readonly base?: string;
}

/** The images that kubeadm of this version asks for, and one for workloads to try with. */
export const images = (version: string): readonly ImageRecipe[] => [
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) =>
    component(name, version, 'control-plane'),
  ),
  {
    reference: 'k8s.gcr.io/etcd:3.4.13-0',
    set: 'control-plane',
    entrypoint: [],
    files: {
      'usr/local/bin/etcd': 'etcd/usr/bin/etcd',
      'usr/local/bin/etcdctl': 'etcd/usr/bin/etcdctl',
      'bin/busybox': 'busybox/bin/busybox',
      'bin/sh': 'busybox/bin/busybox',
      ...library('libc.so.6'),
      'lib64/ld-linux-x86-64.so.2': 'proxy/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2',
    },
  },
  { ...component('kube-proxy', version, 'node'), base: 'proxy' },
  {
    reference: 'k8s.gcr.io/pause:3.2',
    set: 'node',
    entrypoint: ['/pause', '-P'],
    files: { pause: 'catatonit/usr/bin/catatonit' },
  },
  {
    reference: 'k8s.gcr.io/coredns:1.7.0',
    set: 'node',
    entrypoint: ['/coredns'],
    files: { coredns: 'bin/coredns' },
  },
  {
    reference: echoImage,
    set: 'node',
    entrypoint: ['/echo'],
    files: { echo: 'bin/echo', 'bin/busybox': 'busybox/bin/busybox', 'bin/sh': 'busybox/bin/busybox' },
  },
  { reference: nfsImage, set: 'node', entrypoint: ['/nfs'], files: { nfs: 'bin/nfs' } },
];

/** Answers every request with the name of its pod; has a shell with `nslookup`, and `/echo get URL`. */
export const echoImage = 'docker.io/lab/echo:1';

/** Speaks NFS where the kernel cannot: `/nfs write NAME TEXT`, `/nfs read NAME`. */
export const nfsImage = 'docker.io/lab/nfs:1';

const component = (name: string, version: string, set: ImageRecipe['set']): ImageRecipe => ({
  reference: `k8s.gcr.io/${name}:v${version}`,
  set,
  entrypoint: [],
  files: { [`usr/local/bin/${name}`]: `bin/${name}` },
});

const library = (name: string): Readonly<Record<string, string>> => ({
  [`lib/x86_64-linux-gnu/${name}`]: `proxy/lib/x86_64-linux-gnu/${name}`,
});
