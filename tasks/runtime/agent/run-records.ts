import type { Scope } from '../../../generators/operations/scope.ts';
import type { HostRecap, RunStatus } from '../events.ts';

/** What a run is asked to do besides its playbook; all of it is in the record. */
export interface RunOptions {
  /** Ansible's check mode, with diffs. */
  readonly check?: boolean;
  readonly diff?: boolean;
  readonly limit?: readonly string[];
  readonly tags?: readonly string[];
  readonly skipTags?: readonly string[];
  readonly forks?: number;
  /** Which machines the run is about; else the whole cluster. */
  readonly scope?: Scope;
  /** What `--set` said: extra variables of the playbook, always text. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** A machine that a lock holds. */
export interface HeldMachine {
  readonly name: string;
  /** Host, port and jump host: by which two definitions are seen to mean one machine. */
  readonly at: string;
}

/** Who asked for a run, and from what. */
export interface RunMeta {
  /** A person and a machine, like `Ada <ada@example.org> on laptop`. */
  readonly operator: string;
  readonly definitionDigest: string;
  /** Empty outside git. */
  readonly commit: string;
  readonly dirty: boolean;
  /** How much there is to do, known before the start: plays, and tasks with those of every batch. */
  readonly plays: number;
  readonly tasks: number;
  readonly commandLine: readonly string[];
}

/** How long a play is in the outline of a run. */
export interface PlayLength {
  readonly name: string;
  /** Of each batch. */
  readonly tasks: number;
  readonly batches: number;
}

/** Who logged in to the Ansible server, as its sshd and the kernel say; git's word is in `RunMeta`. */
export interface RunLogin {
  readonly user: string;
  /** Empty for who did not come over SSH. */
  readonly address: string;
  /** Fingerprints of the keys; none where sshd does not say `ExposeAuthInfo yes`. */
  readonly keys: readonly string[];
}

/** Values of one run, as they travel: encrypted, and plain for what strikes them out of all output. */
export interface SealedSecrets {
  readonly vault: string;
  readonly password: string;
  readonly values: readonly string[];
}

export interface RunBrief {
  readonly run: string;
  readonly cluster: string;
  readonly playbook: string;
  readonly digest: string;
  readonly options: RunOptions;
  readonly meta: RunMeta;
  /** Missing in records of older versions. */
  readonly login?: RunLogin | null;
  /** ISO 8601, UTC. */
  readonly started: string;
  readonly ended: string | null;
  readonly seconds: number | null;
  readonly status: RunStatus | 'running';
  readonly recap: Readonly<Record<string, HostRecap>> | null;
}

export interface CancelledRun extends RunBrief {
  readonly unstopped: readonly string[];
}

/** What a playbook said of its run with `set_stats`, and what it said the last time. */
export interface RunResults {
  readonly results?: Readonly<Record<string, unknown>>;
  readonly previous?: { readonly run: string; readonly results: Readonly<Record<string, unknown>> };
}

export interface HostFailure {
  readonly host: string;
  readonly task: string;
  readonly status: 'failed' | 'unreachable';
  readonly message: string;
}

export interface TaskTiming {
  readonly play: string;
  readonly name: string;
  readonly number: number;
  readonly handler: boolean;
  readonly started: string;
  readonly seconds: number;
  readonly hosts: Readonly<Record<string, { readonly status: string; readonly seconds: number }>>;
}

/** Everything that is kept of a run besides its events. */
export interface RunRecord extends RunBrief, RunResults {
  /** Missing in records of older versions. */
  readonly outline?: readonly PlayLength[];
  readonly versions: Readonly<Record<string, string>>;
  /** The number of the run on its hosts. */
  readonly fence?: number;
  /** What of a run that did not come to its own end could not be ended on hosts, in words for a person. */
  readonly unstopped?: readonly string[];
  /** What the run loaded that is not of the bundle: SHA-256 of a program, or of all files of a package of Python. */
  readonly loaded?: Readonly<Record<string, { readonly path: string; readonly sha256: string }>>;
  /** Files of the run's own copy of the bundle that were not what was verified any more when it ended. */
  readonly changedWhileRunning?: readonly string[];
  readonly exitStatus?: number | null;
  readonly failures?: readonly HostFailure[];
  readonly tasks?: readonly TaskTiming[];
  /** Events that a full disk did not take. */
  readonly eventsLost?: number;
}

export interface RunEnding extends RunResults {
  readonly run: string;
  readonly cluster: string;
  readonly playbook: string;
  readonly status: RunStatus | 'running';
  readonly recap: Readonly<Record<string, HostRecap>>;
  readonly seconds: number | null;
  readonly failures: readonly HostFailure[];
  /** Events that a full disk did not take. */
  readonly eventsLost: number | null;
  /** Lines of events that were torn or changed; missing where none was looked for. */
  readonly eventsUnread?: number;
  /** Files of its own copy of the bundle that somebody changed while it ran. */
  readonly changedWhileRunning?: readonly string[] | null;
  readonly exitStatus: number | null;
  /** The last lines that Ansible printed. */
  readonly tail: readonly string[];
}
