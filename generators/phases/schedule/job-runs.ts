import type { JobName } from '../../cluster/cluster.ts';

/** What a job is, in the words of `npx task run`. */
export interface JobRun {
  /** Empty: the one of all phases. */
  readonly playbook: string;
  readonly check: boolean;
  readonly tags: readonly string[];
}

/** The run that a job starts. A drill is confirmed by whoever reviewed the definition that names it. */
export function jobRun(job: JobName): JobRun {
  if (job === 'drift') return { playbook: '', check: true, tags: [] };
  return { playbook: job, check: false, tags: job === 'certificates' ? ['verify'] : [] };
}
