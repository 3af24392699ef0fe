import { minorOf } from './version.ts';

/** What is known of one minor version of Kubernetes. Dates are days, `2026-08-26`. */
export interface Minor {
  /** 37 of 1.37. */
  readonly minor: number;
  readonly released: string;
  /** The last day on which it gets patches. */
  readonly endOfLife: string;
  /** The newest patch release that is known here. */
  readonly newest: string;
  /** What kubeadm of `source` installs: tags of the images. */
  readonly etcd: string;
  readonly coredns: string;
  readonly pause: string;
  /** kubeadm's configuration: the versions it reads, newest first, and the one that is written for it. */
  readonly kubeadmReads: readonly string[];
  readonly kubeadmWrites: string;
  /** The release whose kubeadm was read for the five above. */
  readonly source: string;
  /** What of this project ran on it; empty: nothing. */
  readonly run: readonly string[];
}

/** The day on which the facts were read. */
export const readOn = '2026-11-23';

/**
 * Releases of Kubernetes, oldest first. Sources: kubernetes.io/releases (release and end of life), the list of the Go module
 * k8s.io/api (newest patch), cmd/kubeadm/app/constants/constants.go and cmd/kubeadm/app/apis/kubeadm of k8s.io/kubernetes
 * at `source`. Read on 2026-11-23. `run` is written by whoever ran it: release, then what was done.
 */
export const minors: readonly Minor[] = [
  {
    ...minor(31, '2024-08-13', '2025-11-11'),
    ...kubeadm('1.31.14', '3.5.24-0', 'v1.11.3', '3.10'),
    newest: '1.31.14',
    run: [],
  },
  {
    ...minor(32, '2024-12-11', '2026-02-28'),
    ...kubeadm('1.32.13', '3.5.24-0', 'v1.11.3', '3.10'),
    newest: '1.32.13',
    run: [],
  },
  {
    ...minor(33, '2025-04-23', '2026-06-28'),
    ...kubeadm('1.33.13', '3.5.24-0', 'v1.12.0', '3.10'),
    newest: '1.33.13',
    run: [],
  },
  {
    ...minor(34, '2025-08-27', '2026-10-27'),
    ...kubeadm('1.34.4', '3.6.5-0', 'v1.12.1', '3.10.1'),
    newest: '1.34.13',
    run: [],
  },
  {
    ...minor(35, '2025-12-17', '2027-02-28'),
    ...kubeadm('1.35.4', '3.6.6-0', 'v1.13.1', '3.10.1'),
    newest: '1.35.10',
    run: ['1.35.4: installed', '1.35.4: upgraded to 1.36.3'],
  },
  {
    ...minor(36, '2026-04-22', '2027-06-28'),
    ...kubeadm('1.36.3', '3.6.8-0', 'v1.14.2', '3.10.2'),
    newest: '1.36.6',
    run: ['1.36.3: installed', '1.36.3: upgraded to, from 1.35.4, and from it to 1.37.2'],
  },
  {
    ...minor(37, '2026-08-26', '2027-10-28'),
    ...kubeadm('1.37.2', '3.7.0-0', 'v1.14.6', '3.10.2'),
    kubeadmReads: ['v1', 'v1beta4'],
    newest: '1.37.2',
    run: ['1.37.2: installed', '1.37.2: upgraded to, from 1.36.3'],
  },
];

/** What is known of the minor version that a release belongs to. */
export const minorFact = (version: string): Minor | undefined =>
  minors.find(({ minor: known }) => version.startsWith('1.') && known === minorOf(version));

/** True when a minor version gets no patches any more on a day. */
export const isOver = ({ endOfLife }: Minor, day: string): boolean => endOfLife < day;

/** The version that is written into a new definition, and that the examples show. */
export const defaultVersion = '1.37.2';

function minor(number: number, released: string, endOfLife: string): Dates {
  return { minor: number, released, endOfLife };
}

type Dates = Pick<Minor, 'minor' | 'released' | 'endOfLife'>;

/** What kubeadm of a release names; the written version is `kubeadmApi` of generators/kubeadm. */
function kubeadm(source: string, etcd: string, coredns: string, pause: string): MinorFacts {
  return { source, etcd, coredns, pause, kubeadmReads: ['v1beta4', 'v1beta3'], kubeadmWrites: 'v1beta4' };
}

type MinorFacts = Pick<Minor, 'source' | 'etcd' | 'coredns' | 'pause' | 'kubeadmReads' | 'kubeadmWrites'>;
