/** What etcd's guide asks before its members are brought to the minor version that kubeadm installs. */
export interface EtcdStep {
  /** The line that kubeadm of this minor version installs, like `3.6`. */
  readonly line: string;
  /** The oldest release of the line before from which the guide goes on; empty: any. */
  readonly from: string;
  /** Whether an older one is refused, not only told: etcd's project names no safe way round it. */
  readonly isRefused: boolean;
}

/**
 * Lines: `DefaultEtcdVersion` of kubeadm 1.31.14 to 1.37.2. 3.5.26: "Upgrade etcd from v3.5 to v3.6" and the fix of zombie
 * members in CHANGELOG-3.5, without which members that were removed come back. 3.6.11: "Upgrade etcd from v3.6 to v3.7"; told
 * and not refused, since kubeadm 1.36.3 itself installs 3.6.8, and its way to 3.7.0 was run with every write kept. Read on
 * 2026-11-23.
 */
const steps: readonly (readonly [since: number, step: EtcdStep])[] = [
  [0, { line: '3.5', from: '', isRefused: false }],
  [34, { line: '3.6', from: '3.5.26', isRefused: true }],
  [37, { line: '3.7', from: '3.6.11', isRefused: false }],
];

export const etcdStepTo = (minor: number): EtcdStep =>
  steps.findLast(([since]) => since <= minor)?.[1] ?? { line: '3.5', from: '', isRefused: false };
