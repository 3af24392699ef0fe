/** What may run at set times, in the order in which it is documented. */
export const jobNames = [
  'drift',
  'verify',
  'etcd-backup',
  'certificates',
  'rotate-certificates',
  'drill-vip',
  'drill-control-plane',
  'drill-worker',
  'drill-storage',
  'drill-etcd-restore',
  'drill-certificates',
] as const;

export type JobName = (typeof jobNames)[number];

/** One job, and when it runs. */
export interface Job {
  readonly name: JobName;
  /** Calendar events of systemd, at least one. */
  readonly onCalendar: readonly string[];
  /** A time span of systemd, like `30min`; `0` is none. */
  readonly randomizedDelay: string;
  /** Whether it is made up for when the server was off. */
  readonly persistent: boolean;
}

/** What the Ansible server runs at set times, without a client. */
export interface Schedule {
  /** Folder on the Ansible server with a file for each secret; empty: no run needs one. */
  readonly secretsFolder: string;
  readonly jobs: readonly Job[];
}

export const isDrill = (name: JobName): boolean => name.startsWith('drill-');
