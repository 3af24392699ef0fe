/** What the artifacts hold besides, when it is asked for: another network, or Kubernetes' own tests. */
export const extraNames = ['calico', 'cilium', 'conformance'] as const;
export type Extra = (typeof extraNames)[number];

/** A Kubernetes that the lab can make, and the releases of others that belong to it. */
export interface LabRelease {
  readonly kubernetes: string;
  /** Those that kubeadm of this Kubernetes asks for. */
  readonly etcd: string;
  readonly coredns: string;
  readonly pause: string;
  /** Of those that containerd says go with this Kubernetes. */
  readonly containerd: string;
  readonly runc: string;
  readonly cniPlugins: string;
  /** Of cri-tools, whose module has no release for every minor of Kubernetes. */
  readonly crictl: string;
  readonly flannel: string;
  /** The CNI plugin of flannel, at the last release whose module holds it, under the tag that flannel asks for. */
  readonly flannelPlugin: string;
}

/** One of each minor that is supported, the newest patch that its publisher's modules have. */
export const labReleases: readonly LabRelease[] = [
  {
    kubernetes: '1.35.4',
    ...{ etcd: '3.6.6', coredns: '1.13.1', pause: '3.10.1' },
    ...{ containerd: '2.2.9', runc: '1.3.6', crictl: '1.34.0' },
    ...{ cniPlugins: '1.9.1', flannel: '0.28.4', flannelPlugin: '0.9.1' },
  },
  {
    kubernetes: '1.36.3',
    ...{ etcd: '3.6.8', coredns: '1.14.2', pause: '3.10.2' },
    ...{ containerd: '2.2.9', runc: '1.3.6', crictl: '1.34.0' },
    ...{ cniPlugins: '1.9.1', flannel: '0.28.4', flannelPlugin: '0.9.1' },
  },
  {
    kubernetes: '1.37.2',
    ...{ etcd: '3.7.0', coredns: '1.14.6', pause: '3.10.2' },
    ...{ containerd: '2.3.7', runc: '1.4.3', crictl: '1.37.0' },
    ...{ cniPlugins: '1.9.1', flannel: '0.28.10', flannelPlugin: '0.9.1' },
  },
];

/** What a lab runs unless it is asked for another one. */
export const labVersion = '1.37.2';

/** The release of a version, or undefined: the lab does not make that one. */
export const releaseOf = (version: string): LabRelease | undefined =>
  labReleases.find(({ kubernetes }) => kubernetes === version);
