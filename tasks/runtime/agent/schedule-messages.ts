import type { MessageReceiver } from './message-requests.ts';
import type { HeldMachine, PlayLength, RunMeta, RunOptions } from './run-records.ts';

/** What starts one job: a request to start a run, without what each run has of its own. */
export interface JobRequest {
  /** Path below the bundle, like `instantiate.yml`. */
  readonly playbook: string;
  readonly options: RunOptions;
  readonly meta: RunMeta;
  readonly outline: readonly PlayLength[];
  readonly machines: readonly HeldMachine[];
}

/** Everything that jobs at set times need when no client is there. */
export interface InstalledSchedule {
  /** Of the bundle that they run; it has to be on the server. */
  readonly digest: string;
  readonly who: string;
  /** Folder on the server with a file for each of `variables`. */
  readonly secretsFolder: string;
  readonly variables: readonly string[];
  readonly messages: readonly MessageReceiver[];
  readonly jobs: Readonly<Record<string, JobRequest>>;
}

export interface ScheduleRequests {
  /** `program`: the server's half, as it is sent; Base64. With `check` it is judged, and nothing is written. */
  readonly 'keep-schedule': {
    readonly cluster: string;
    readonly program: string;
    readonly schedule: InstalledSchedule;
    readonly check?: boolean;
  };
  readonly schedule: { readonly cluster: string };
  readonly 'forget-schedule': { readonly cluster: string };
}

/** How a job ended the last time. Times are ISO 8601, UTC. */
export interface LastJob {
  /** Empty: none could begin. */
  readonly run: string;
  /** Of the run, or the kind of failure that kept it from beginning. */
  readonly status: string;
  readonly message: string;
  readonly began: string;
  readonly ended: string;
}

export interface JobState {
  readonly job: string;
  /** Whether its timer runs. */
  readonly active: boolean;
  /** `@` and seconds since 1970; empty where nobody knows. */
  readonly next: string;
  readonly last: LastJob | null;
}

export interface ScheduleAnswers {
  /** `installed`: ISO 8601, UTC; `program`: SHA-256. */
  readonly 'keep-schedule': { readonly installed: string; readonly program: string };
  readonly schedule: {
    readonly schedule: {
      readonly digest: string;
      readonly installed: string;
      readonly who: string;
      readonly program: string;
    } | null;
    readonly jobs: readonly JobState[];
  };
  readonly 'forget-schedule': { readonly removed: boolean };
}
