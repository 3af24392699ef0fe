import type { Retention } from '../../../generators/cluster/server.ts';
import type { AppliedState, Fact } from '../../../generators/plan/applied.ts';
import type { Journal } from '../../../generators/plan/journal.ts';
import type { Snapshot } from '../../../generators/plan/snapshot.ts';
import type { Scope } from '../../../generators/operations/scope.ts';
import type { Event, HostRecap, RunStatus } from '../events.ts';
import type { MeshAnswers, MeshRequests, SealedForNode } from './mesh-messages.ts';

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

/** What a run writes into `applied.json` when it begins, and completes when it ends. */
export interface RunLife {
  /** What came of all runs before, as far as the digest of `applied.json` is still this one. */
  readonly base: AppliedState;
  readonly expected: string;
  readonly snapshot: Snapshot;
  readonly fact: Pick<Fact, 'operation' | 'targets' | 'effect'>;
}

/** The step of an apply that a run is; the fence proves that the lock is still the apply's. */
export interface RunStep {
  readonly fence: string;
  readonly index: number;
}

/** `journal.json` as it lies there. */
export type KeptJournal = Journal & { readonly fence: string };

export interface LockHolder {
  readonly who: string;
  readonly since: string;
  readonly what: string;
  readonly run: string;
  readonly alive: boolean | null;
}

/** A machine that a lock holds. */
export interface HeldMachine {
  readonly name: string;
  /** Host, port and jump host: by which two definitions are seen to mean one machine. */
  readonly at: string;
}

type InCluster = { readonly cluster: string };
/** An empty run is the latest one. */
type OfRun = InCluster & { readonly run: string };
type OfBundle = InCluster & { readonly digest: string };

export interface Requests extends MeshRequests {
  readonly 'stat-bundle': OfBundle;
  readonly unpack: OfBundle & { readonly partial: string; readonly size: number };
  readonly probe: { readonly path: string; readonly bytes: number };
  readonly start: OfBundle & {
    readonly playbook: string;
    readonly options: RunOptions;
    readonly meta: RunMeta;
    readonly token: string;
    readonly secrets: SealedSecrets | SealedForNode | null;
    readonly machines: readonly HeldMachine[];
    /** Left out: the run changes nothing that a plan asks for. */
    readonly life?: RunLife;
    readonly step?: RunStep;
  };
  readonly life: InCluster;
  readonly 'begin-apply': InCluster & {
    readonly fence: string;
    readonly who: string;
    /** For whoever finds the lock. */
    readonly what: string;
    /** Digest of `applied.json` when the plan was made. */
    readonly expected: string;
    readonly journal: Journal;
    readonly machines: readonly HeldMachine[];
    /** Fence of the apply that is taken up again, or empty. */
    readonly insteadOf: string;
  };
  readonly 'end-apply': InCluster & { readonly fence: string; readonly state: Journal['state'] };
  readonly follow: OfRun & { readonly from: number };
  readonly log: OfRun;
  readonly record: OfRun;
  readonly list: { readonly cluster: string; readonly limit: number };
  readonly status: OfRun;
  readonly cancel: OfRun & { readonly who: string };
  readonly unlock: InCluster & { readonly force: boolean };
  /** What is older than is wanted; `check`: what would be removed. */
  readonly gc: InCluster & Retention & { readonly who: string; readonly check: boolean };
  /** An empty folder is the one of the cluster itself. */
  readonly kept: InCluster & { readonly folder: '' | 'etcd' };
  readonly 'forget-kept': InCluster & {
    readonly file: 'kubeconfig' | 'tenant-kubeconfig' | 'tacker-vim.yaml';
  };
  readonly 'compare-artifacts': {
    readonly folder: string;
    /** Path → SHA-256. */
    readonly sums: Readonly<Record<string, string>>;
  };
  readonly 'take-artifact': { readonly folder: string; readonly path: string; readonly sha256: string };
}

export interface Answers extends MeshAnswers {
  readonly 'stat-bundle': { readonly there: boolean; readonly partial: string };
  /** `there` is false when the archive did not arrive whole. */
  readonly unpack: { readonly there: boolean };
  readonly probe: object;
  readonly start: { readonly run: string; readonly warnings: readonly string[] };
  readonly follow: RunEnding;
  readonly log: Pick<RunBrief, 'run' | 'status' | 'playbook' | 'options'>;
  readonly record: RunRecord;
  readonly list: { readonly runs: readonly RunBrief[]; readonly locks: Readonly<Record<string, LockHolder>> };
  readonly status: RunBrief & { readonly lock: LockHolder | null };
  /** `unstopped`: what goes on though the run should have ended, in words for a person. */
  readonly cancel: CancelledRun;
  readonly unlock: {
    readonly removed: boolean;
    readonly holder?: LockHolder;
    readonly unstopped?: readonly string[];
  };
  /** Names of runs and bundles, and paths of logs and of what killed processes left. */
  readonly gc: {
    readonly runs: readonly string[];
    readonly bundles: readonly string[];
    readonly logs: readonly string[];
    readonly leftovers: readonly string[];
    readonly bytes: number;
  };
  /** `applied.json` with its digest, and `journal.json`; empty texts where there is none. */
  readonly life: {
    readonly applied: string;
    readonly digest: string;
    readonly journal: string;
    readonly lock: LockHolder | null;
  };
  readonly 'begin-apply': object;
  readonly 'end-apply': object;
  /** Absolute path of the folder, and the names of its files, sorted. */
  readonly kept: { readonly folder: string; readonly files: readonly string[] };
  readonly 'forget-kept': { readonly removed: boolean };
  /** Absolute path of the folder; `free`: bytes, null when nobody knows. */
  readonly 'compare-artifacts': {
    readonly folder: string;
    readonly missing: readonly string[];
    readonly free: number | null;
  };
  readonly 'take-artifact': object;
}

/** What the server tells before its answer. */
export type ServerMessage =
  | ToldEvent<'play-started'>
  | Omit<ToldEvent<'task-started'>, 'total'>
  | ToldEvent<'part-started'>
  | ToldEvent<'host-finished'>
  | (ToldEvent<'warning'> & { readonly counter: number })
  | { readonly type?: never; readonly text: string; readonly counter?: never }
  | { readonly type?: never; readonly data: string; readonly counter?: never };

type ToldEvent<Type extends Event['type']> = Extract<Event, { readonly type: Type }>;
