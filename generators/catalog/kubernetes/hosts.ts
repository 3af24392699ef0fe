/** What a minor version of Kubernetes asks of the kernel of its hosts. */
export interface KernelNeeds {
  /** Lines of long-term support that are taken one by one, like `5.10`. */
  readonly lines: readonly string[];
  /** From this version on every kernel is taken. */
  readonly from: string;
}

/**
 * `KernelSpec.Versions` of k8s.io/system-validators, which kubeadm's SystemVerification goes by, at the version in go.mod of
 * k8s.io/kubernetes: v1.8.0 for 1.31, v1.9.2 for 1.32 and 1.33, v1.10.2 for 1.34, v1.12.1 for 1.35 to 1.37. Read on
 * 2026-11-23.
 */
const kernels: readonly (readonly [since: number, needs: KernelNeeds])[] = [
  [0, { lines: [], from: '3.10' }],
  [32, { lines: [], from: '4.19' }],
  [34, { lines: ['5.4', '5.10', '5.15'], from: '6.0' }],
];

export const kernelFor = (minor: number): KernelNeeds =>
  kernels.findLast(([since]) => since <= minor)?.[1] ?? { lines: [], from: '3.10' };

/** From 1.35 on the kubelet refuses cgroup v1 unless its `failCgroupV1` is false, and kubeadm refuses it always. */
export const refusesCgroupV1 = (minor: number): boolean => minor >= 35;

/** The first runc that "fully supports" cgroup v2 is v1.0.0-rc93 (docs/cgroup-v2.md of runc); releases count from 1.0.0. */
export const runcForCgroupV2 = '1.0.0';
