import type { Retention } from '../../../generators/cluster/server.ts';
import type { AppliedState, Fact } from '../../../generators/plan/applied.ts';
import type { Journal } from '../../../generators/plan/journal.ts';
import type { Snapshot } from '../../../generators/plan/snapshot.ts';
import type { Event } from '../events.ts';
import type { ScheduleAnswers, ScheduleRequests } from './schedule-messages.ts';
import type { RunMessages } from './message-requests.ts';
import type { MeshAnswers, MeshRequests, SealedForNode } from './mesh-messages.ts';
import type {
  CancelledRun,
  HeldMachine,
  PlayLength,
  RunBrief,
  RunEnding,
  RunMeta,
  RunOptions,
  RunRecord,
  SealedSecrets,
} from './run-records.ts';

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

type InCluster = { readonly cluster: string };
/** An empty run is the latest one. */
type OfRun = InCluster & { readonly run: string };
type OfBundle = InCluster & { readonly digest: string };

export interface Requests extends MeshRequests, ScheduleRequests {
  readonly 'stat-bundle': OfBundle;
  readonly unpack: OfBundle & { readonly partial: string; readonly size: number };
  readonly probe: { readonly path: string; readonly bytes: number };
  readonly start: OfBundle & {
    readonly playbook: string;
    readonly options: RunOptions;
    readonly meta: RunMeta;
    /** By which a task has its number. */
    readonly outline: readonly PlayLength[];
    readonly token: string;
    readonly secrets: SealedSecrets | SealedForNode | null;
    readonly machines: readonly HeldMachine[];
    /** Left out: nobody is told how it ends. */
    readonly messages?: RunMessages;
    /** Left out: the run changes nothing that a plan asks for. */
    readonly life?: RunLife;
    readonly step?: RunStep;
    /** Over a mesh: what is done before it, each with its `operation`. */
    readonly first?: readonly object[];
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

export interface Answers extends MeshAnswers, ScheduleAnswers {
  readonly 'stat-bundle': { readonly there: boolean; readonly partial: string };
  /** `there` is false when the archive did not arrive whole. */
  readonly unpack: { readonly there: boolean };
  readonly probe: object;
  /** `first`: the answers to what was done before it. */
  readonly start: {
    readonly run: string;
    readonly warnings: readonly string[];
    readonly first?: readonly MeshAnswers['receive'][];
  };
  readonly follow: RunEnding;
  readonly log: Pick<RunBrief, 'run' | 'status' | 'playbook' | 'options'>;
  readonly record: RunRecord;
  readonly list: {
    readonly runs: readonly RunBrief[];
    /** Folders of runs whose records cannot be read. */
    readonly unreadable: readonly string[];
    readonly locks: Readonly<Record<string, LockHolder>>;
  };
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
