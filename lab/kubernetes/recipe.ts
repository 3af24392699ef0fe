import { createHash } from 'node:crypto';
import { defaults } from '../../generators/definition/defaults.ts';
import { goToolchain, modulesOf } from './modules.ts';
import type { LabRelease } from './releases.ts';

/** How the lab's Kubernetes is made. Everything that changes it is in here, because its folder is named by the hash of this. */
export interface KubernetesRecipe {
  readonly release: LabRelease;
  /** Text of every script and every source of ours, by name. */
  readonly texts: Readonly<Record<string, string>>;
  readonly source: ArtifactSource;
  /** Of what is wanted besides the release. */
  readonly extraImages?: readonly ImageRecipe[];
}

/** Where what is not the lab's own comes from: releases of the publishers, or the source of these in Go modules. */
export type ArtifactSource = 'publishers' | 'modules';

/** Twelve characters that differ whenever a module, a package, a program, an image, a script or a source does. */
export const kubernetesHash = ({ release, texts, source, extraImages = [] }: KubernetesRecipe): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        ...[format, source, goToolchain, goFlags, release, suites, nodePackages, basePackages],
        ...[modulesOf(release), images(release), extraImages],
        Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)),
      ]),
    )
    .digest('hex')
    .slice(0, 12);

/** Counted up when this code packs the same things in another way. */
const format = 3;

/** Nobody debugs these programs. */
export const goFlags = '-mod=readonly -trimpath -buildvcs=false -modcacherw -gcflags=all=-dwarf=false';

/** Debian releases whose packages nodes can be installed from, by the name of the artifacts. */
export const suites = { 'debian-12': 'bookworm', 'debian-13': 'trixie' } as const;

/** What nodes install besides Kubernetes itself, offline: these and all they depend on. */
export const nodePackages = [
  ...['conntrack', 'socat', 'ethtool', 'iptables', 'ebtables', 'ipset', 'nftables'],
  ...['haproxy', 'keepalived', 'psmisc', 'curl'],
  ...['age', 'nfs-common', 'nfs-kernel-server', 'nfs-ganesha', 'nfs-ganesha-vfs', 'e2fsprogs', 'xfsprogs'],
];

/** What images take from Debian 12; nothing of it is installed. */
export const basePackages = ['busybox-static'];

/** Of the programs those that hosts run themselves. */
export const hostPrograms = ['kubeadm', 'kubelet', 'kubectl', 'crictl', 'runc'];

/** A container image: which files of the build it holds where, and what it starts. */
export interface ImageRecipe {
  readonly reference: string;
  /** Which hosts import it: control planes take both sets. */
  readonly set: 'control-plane' | 'node' | 'conformance';
  readonly entrypoint: readonly string[];
  /** What the entrypoint is called with unless a pod says otherwise. */
  readonly command?: readonly string[];
  /** Path in the image → path below the build folder. */
  readonly files: Readonly<Record<string, string>>;
  /** A folder of the build that is the image's root. */
  readonly base?: string;
}

/** Answers every request with the name of its pod; has a shell with `nslookup`, and `/echo get URL`. */
export const echoImage = 'docker.io/lab/echo:1';

/** Speaks NFS where the kernel cannot: `/nfs write NAME TEXT`, `/nfs read NAME`. */
export const nfsImage = 'docker.io/lab/nfs:1';

/** The lab's own workloads. */
export const ownImages: readonly ImageRecipe[] = [
  {
    reference: echoImage,
    set: 'node',
    entrypoint: ['/echo'],
    files: { echo: 'bin/echo', 'bin/busybox': 'busybox/bin/busybox', 'bin/sh': 'busybox/bin/busybox' },
  },
  { reference: nfsImage, set: 'node', entrypoint: ['/nfs'], files: { nfs: 'bin/nfs' } },
];

/** The images that kubeadm of this version asks for, and those for workloads to try with. */
export const images = (release: LabRelease): readonly ImageRecipe[] => [
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) =>
    component(name, release, 'control-plane'),
  ),
  {
    reference: `registry.k8s.io/etcd:${release.etcd}-0`,
    set: 'control-plane',
    entrypoint: [],
    files: Object.fromEntries(
      ['etcd', 'etcdctl', 'etcdutl'].map((name) => [`usr/local/bin/${name}`, `bin/${name}`]),
    ),
  },
  { ...component('kube-proxy', release, 'node'), base: 'proxy' },
  {
    reference: `registry.k8s.io/pause:${release.pause}`,
    set: 'node',
    entrypoint: ['/pause'],
    files: { pause: 'bin/pause' },
  },
  {
    reference: `registry.k8s.io/coredns/coredns:v${release.coredns}`,
    set: 'node',
    entrypoint: ['/coredns'],
    files: { coredns: 'bin/coredns' },
  },
  ...flannelImages(release),
  ...ownImages,
];

/** As the manifest of flannel names them: both copy files onto their node before flannel starts. */
const flannelImages = ({ flannel }: LabRelease): readonly ImageRecipe[] => [
  {
    reference: `${defaults.network.flannel.imageRepository}/flannel:v${flannel}`,
    set: 'node',
    entrypoint: ['/opt/bin/flanneld'],
    base: 'proxy',
    files: { 'opt/bin/flanneld': 'bin/flanneld', 'bin/cp': 'busybox/bin/busybox' },
  },
  {
    reference: flannelPluginImage,
    set: 'node',
    entrypoint: [],
    files: { flannel: 'bin/flannel-plugin/flannel', 'bin/cp': 'busybox/bin/busybox' },
  },
];

export const flannelPluginImage = `${defaults.network.flannel.imageRepository}/flannel-cni-plugin:${defaults.network.flannel.cniPlugin}`;

const component = (name: string, { kubernetes }: LabRelease, set: ImageRecipe['set']): ImageRecipe => ({
  reference: `registry.k8s.io/${name}:v${kubernetes}`,
  set,
  entrypoint: [],
  files: { [`usr/local/bin/${name}`]: `bin/${name}` },
});
