/**
 * What a tag of kubespray is and needs. Read from the tags themselves up to v2.31.0 in August 2026; v2.32.0 from its release notes
 * of September 2026 and the checksums of its development branch of 21 August 2026.
 */
export interface KubesprayRelease {
  /** Like `v2.28.1`. */
  readonly tag: string;
  /** 28 of `v2.28.1`. */
  readonly minor: number;
  /** Newest Kubernetes of each minor version that the tag has checksums for, oldest first. */
  readonly newest: readonly string[];
  /** Earlier patches that it has none for. */
  readonly lacking: readonly string[];
  /** The tag itself was read; of any other, later patches may be known to it as well. */
  readonly isRead: boolean;
  /** What it installs when nothing is said. */
  readonly usual: string;
  /** ansible-core from the first to below the second, as `ansible_version.yml` of the tag asserts. */
  readonly ansible: VersionRange;
  /** Python of the Ansible server, first and last, that this ansible-core runs on. */
  readonly python: VersionRange;
}

export type VersionRange = readonly [from: string, to: string];

/** By the minor version since which it holds. Debian's 2.14.12 and later run no v2.23.0 and v2.23.1. */
const programs: readonly [Programs, ...Programs[]] = [
  [15, ['2.9.0', '2.10.0'], ['3.5', '3.8']],
  [16, ['2.9.0', '2.11.0'], ['3.5', '3.8']],
  [17, ['2.9.0', '2.11.0'], ['3.5', '3.9']],
  [18, ['2.9.0', '2.12.0'], ['3.5', '3.9']],
  [19, ['2.9.0', '2.13.0'], ['3.8', '3.10']],
  [20, ['2.11.0', '2.13.0'], ['3.8', '3.10']],
  [23, ['2.14.0', '2.15.0'], ['3.9', '3.11']],
  [24, ['2.15.5', '2.17.0'], ['3.9', '3.11']],
  [25, ['2.16.4', '2.17.0'], ['3.10', '3.12']],
  [29, ['2.17.3', '2.18.0'], ['3.10', '3.12']],
  [31, ['2.18.0', '2.19.0'], ['3.11', '3.13']],
  [32, ['2.19.0', '2.20.0'], ['3.11', '3.13']],
];

type Programs = readonly [since: number, ansible: VersionRange, python: VersionRange];

/** Patches that were never released, or never taken up. */
const lacking: Readonly<Record<string, readonly string[]>> = {
  'v2.18.1': ['1.23.3'],
  'v2.18.2': ['1.23.3'],
};

/** The tags that are known, oldest first. */
export const releases: readonly KubesprayRelease[] = (
  [
    ['v2.15.0', '1.19.7', '1.18.15 1.19.7'],
    ['v2.15.1', '1.19.9', '1.18.17 1.19.9 1.20.5'],
    ['v2.16.0', '1.20.7', '1.19.11 1.20.7 1.21.1'],
    ['v2.17.0', '1.21.5', '1.19.15 1.20.11 1.21.5 1.22.2'],
    ['v2.17.1', '1.21.6', '1.19.15 1.20.11 1.21.6 1.22.2'],
    ['v2.18.0', '1.22.5', '1.20.14 1.21.8 1.22.5 1.23.1'],
    ['v2.18.1', '1.22.8', '1.20.15 1.21.11 1.22.8 1.23.5'],
    ['v2.18.2', '1.22.8', '1.20.15 1.21.11 1.22.8 1.23.5'],
    ['v2.19.0', '1.23.7', '1.21.13 1.22.10 1.23.7 1.24.1'],
    ['v2.19.1', '1.23.7', '1.21.13 1.22.10 1.23.7 1.24.1'],
    ['v2.20.0', '1.24.6', '1.22.15 1.23.12 1.24.6'],
    ['v2.21.0', '1.25.6', '1.23.16 1.24.10 1.25.6'],
    ['v2.22.0', '1.26.5', '1.24.14 1.25.10 1.26.5'],
    ['v2.22.1', '1.26.5', '1.24.14 1.25.10 1.26.5'],
    ['v2.22.2', '1.26.13', '1.24.17 1.25.16 1.26.13'],
    ['v2.23.0', '1.27.5', '1.25.13 1.26.8 1.27.5'],
    ['v2.23.1', '1.27.7', '1.25.15 1.26.10 1.27.7'],
    ['v2.23.2', '1.27.9', '1.25.16 1.26.12 1.27.9'],
    ['v2.23.3', '1.27.10', '1.25.16 1.26.13 1.27.10'],
    ['v2.24.0', '1.28.6', '1.26.13 1.27.10 1.28.6 1.29.1'],
    ['v2.24.1', '1.28.6', '1.26.13 1.27.10 1.28.6 1.29.1'],
    ['v2.24.2', '1.28.10', '1.26.15 1.27.14 1.28.10 1.29.1'],
    ['v2.24.3', '1.28.14', '1.26.15 1.27.16 1.28.14 1.29.9'],
    ['v2.25.0', '1.29.5', '1.27.14 1.28.10 1.29.5'],
    ['v2.25.1', '1.29.10', '1.27.16 1.28.15 1.29.10'],
    ['v2.26.0', '1.30.4', '1.28.12 1.29.7 1.30.4'],
    ['v2.26.1', '1.30.6', '1.28.15 1.29.10 1.30.6'],
    ['v2.27.0', '1.31.4', '1.29.12 1.30.8 1.31.4'],
    ['v2.27.1', '1.31.9', '1.29.15 1.30.13 1.31.9'],
    ['v2.28.0', '1.32.5', '1.30.13 1.31.9 1.32.5'],
    ['v2.28.1', '1.32.8', '1.30.14 1.31.12 1.32.8'],
    ['v2.29.0', '1.33.5', '1.31.13 1.32.9 1.33.5'],
    ['v2.29.1', '1.33.7', '1.31.14 1.32.10 1.33.7'],
    ['v2.30.0', '1.34.3', '1.32.11 1.33.7 1.34.3'],
    ['v2.31.0', '1.35.4', '1.33.11 1.34.7 1.35.4'],
    ['v2.32.0', '1.36.4', '1.34.11 1.35.8 1.36.4'],
  ] as const
).map(([tag, usual, newest]) => release(tag, usual, newest.split(' ')));

function release(tag: string, usual: string, newest: readonly string[]): KubesprayRelease {
  const minor = minorOf(tag);
  const [, ansible, python] = programs.findLast(([since]) => since <= minor) ?? programs[0];
  return {
    ...{ tag, minor, newest, usual, ansible, python },
    lacking: lacking[tag] ?? [],
    isRead: tag !== 'v2.32.0',
  };
}

/** The tag, or the nearest earlier one of its minor version; undefined: nothing is known of it. */
export const releaseOf = (version: string): KubesprayRelease | undefined =>
  releases.find(({ tag }) => tag === version) ??
  releases.findLast(({ minor }) => version.startsWith('v2.') && minor === minorOf(version));

/** 28 of `v2.28.1`. */
export function minorOf(tag: string): number {
  return Number(tag.split('.')[1]);
}
