import { compareVersions, lineOf } from './version.ts';

/** What containerd's project says of one minor version of Kubernetes. */
export interface ContainerdNeeds {
  /** The oldest tested release of each line, newest line first; a line that is missing is not tested. */
  readonly atLeast: readonly string[];
  /** What kubelet or kubeadm do without it. `''`: they start; a version: the oldest containerd with which they start. */
  readonly refusedBefore: string;
}

/**
 * "Kubernetes Support" of containerd's RELEASES.md as of v2.4.2 (1.32 and later) and v2.0 (1.31). 1.38: kubelet 1.37
 * counts containerd 1 as "losing support in 1.38.0" and kubeadm 1.37 warns that the fallback goes in 1.38
 * (cmd/kubelet/app/server.go, cmd/kubeadm/app/preflight/checks.go). Read on 2026-11-23.
 */
const matrix: Readonly<Record<number, readonly string[]>> = {
  31: ['2.1.0', '2.0.0', '1.7.20', '1.6.34'],
  32: ['2.1.0', '2.0.1', '1.7.24', '1.6.36'],
  33: ['2.1.0', '2.0.4', '1.7.24', '1.6.36'],
  34: ['2.1.3', '2.0.6', '1.7.28', '1.6.39'],
  35: ['2.2.0', '2.1.5', '1.7.28'],
  36: ['2.3.0', '2.2.0'],
  37: ['2.4.0', '2.3.0'],
};

/** What Kubernetes 1.`minor` wants of containerd; `atLeast` is empty where the matrix has no row. */
export const containerdFor = (minor: number): ContainerdNeeds => ({
  atLeast: matrix[minor] ?? [],
  refusedBefore: refusals.findLast(([since]) => since <= minor)?.[1] ?? '',
});

/** Kubelet has spoken CRI v1 alone since 1.26, which came with containerd 1.6; its 1.38 needs RuntimeConfig of containerd 2. */
const refusals: readonly (readonly [since: number, before: string])[] = [
  [26, '1.6.0'],
  [38, '2.0.0'],
];

export type ContainerdVerdict = 'refused' | 'untested' | 'tested' | 'unknown';

/** How a release of containerd goes with Kubernetes 1.`minor`; `unknown`: the matrix has no row for that minor. */
export function judgeContainerd(version: string, minor: number): ContainerdVerdict {
  const { atLeast, refusedBefore } = containerdFor(minor);
  if (refusedBefore !== '' && compareVersions(version, refusedBefore) < 0) return 'refused';
  const [newest] = atLeast;
  if (newest === undefined) return 'unknown';
  // A line that came after the row was written is held to work: containerd keeps every supported Kubernetes running.
  if (compareVersions(lineOf(version), lineOf(newest)) > 0) return 'tested';
  const least = atLeast.find((each) => lineOf(each) === lineOf(version));
  return least !== undefined && compareVersions(version, least) >= 0 ? 'tested' : 'untested';
}

export interface ContainerdLine {
  /** Like `2.3`. */
  readonly line: string;
  /** The last day on which the line gets patches. */
  readonly endOfLife: string;
  /** The newest release that is known here; empty: none was looked up. */
  readonly newest: string;
  /** The runc that its newest release is tested with (`script/setup/runc-version`); empty: none was looked up. */
  readonly runc: string;
  readonly lts: boolean;
}

/**
 * Lines of containerd, oldest first. Source: "Current State of containerd Releases" of RELEASES.md as of v2.4.2 (a month
 * without a day counts to its end), newest releases from the list of the Go module. Read on 2026-11-23.
 */
export const containerdLines: readonly ContainerdLine[] = [
  { line: '1.5', endOfLife: '2023-02-28', newest: '1.5.18', runc: '', lts: false },
  { line: '1.6', endOfLife: '2025-08-23', newest: '1.6.39', runc: '', lts: true },
  { line: '1.7', endOfLife: '2026-09-30', newest: '1.7.35', runc: '1.3.6', lts: true },
  { line: '2.0', endOfLife: '2027-03-31', newest: '2.0.14', runc: '1.3.6', lts: true },
  { line: '2.1', endOfLife: '2026-07-03', newest: '2.1.9', runc: '1.3.6', lts: false },
  { line: '2.2', endOfLife: '2026-11-06', newest: '2.2.9', runc: '1.3.6', lts: false },
  { line: '2.3', endOfLife: '2028-04-30', newest: '2.3.7', runc: '1.5.2', lts: true },
  { line: '2.4', endOfLife: '2027-05-16', newest: '2.4.2', runc: '1.5.2', lts: false },
];

/** The newest containerd of the longest supported line that Kubernetes 1.`minor` was tested with; the newest of all otherwise. */
export function recommendedContainerd(minor: number): string {
  const able = containerdLines.filter(
    ({ newest }) => newest !== '' && judgeContainerd(newest, minor) === 'tested',
  );
  const lasting = able.toSorted((a, b) => a.endOfLife.localeCompare(b.endOfLife)).at(-1);
  return (lasting ?? containerdLines.at(-1))?.newest ?? '';
}

/**
 * What the distributions' own package `containerd` brings with security updates, on amd64. Source: the package lists of
 * Debian and packages.ubuntu.com (Ubuntu brings newer lines into older releases). Read on 2026-11-23.
 */
export const packagedContainerd: readonly { readonly system: string; readonly version: string }[] = [
  { system: 'Debian 12', version: '1.6.20' },
  { system: 'Debian 13', version: '1.7.24' },
  { system: 'Ubuntu 22.04', version: '2.2.1' },
  { system: 'Ubuntu 24.04', version: '2.2.1' },
  { system: 'Ubuntu 26.04', version: '2.2.2' },
];
