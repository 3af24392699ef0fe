import type { Failure } from './failures.ts';

/** How a task ended on one host. */
export type HostStatus = 'ok' | 'changed' | 'failed' | 'ignored' | 'unreachable' | 'skipped';

/** Ansible's own recap of one host. */
export interface HostRecap {
  readonly ok: number;
  readonly changed: number;
  readonly failed: number;
  readonly unreachable: number;
  readonly skipped: number;
  readonly rescued: number;
  readonly ignored: number;
}

/** How a run ended. */
export type RunStatus = 'successful' | 'failed' | 'unreachable' | 'canceled' | 'error' | 'lost';

/** When it happened at the server, ISO 8601 in UTC; missing from a server's half of an older Playsmith. */
interface TimedEvent {
  readonly at?: string;
}

/** Everything that can happen while a task works. How it is shown is a table in reporters.ts. */
export type Event =
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'warning'; readonly text: string }
  /** An exception of ours, as its stack. */
  | { readonly type: 'bug'; readonly stack: string }
  | {
      readonly type: 'bundle-rendered';
      readonly folder: string;
      readonly digest: string;
      /** Version of the collection in it, if it has one. */
      readonly collection: string | undefined;
      readonly written: readonly string[];
      readonly removed: readonly string[];
      readonly unchanged: number;
    }
  | {
      readonly type: 'bundle-pushed';
      readonly digest: string;
      readonly bytes: number;
      readonly wasThere: boolean;
    }
  | {
      readonly type: 'run-started';
      readonly run: string;
      readonly playbook: string;
      readonly plays: number;
      readonly tasks: number;
      readonly check: boolean;
    }
  | ({ readonly type: 'play-started'; readonly name: string; readonly counter: number } & TimedEvent)
  | ({
      readonly type: 'task-started';
      readonly name: string;
      /** 1 for the first; a handler has the number of the task before it. */
      readonly number: number;
      readonly total: number;
      readonly handler: boolean;
      readonly counter: number;
    } & TimedEvent)
  /** A task of an Ansible that a task calls, such as kubespray's; nobody knows how many there will be. */
  | ({
      readonly type: 'part-started';
      /** As Ansible shows it: `role : name`, or the name alone. */
      readonly name: string;
      /** 1 for the first one that the task calls. */
      readonly number: number;
      readonly counter: number;
    } & TimedEvent)
  | ({
      readonly type: 'host-finished';
      readonly host: string;
      readonly task: string;
      readonly status: HostStatus;
      /** The module's message where it matters, else empty; free of terminal escapes. */
      readonly message: string;
      /** A diff that Ansible showed, or empty. */
      readonly diff: string;
      readonly seconds: number;
      readonly counter: number;
    } & TimedEvent)
  | {
      readonly type: 'run-finished';
      readonly run: string;
      readonly status: RunStatus;
      readonly recap: Readonly<Record<string, HostRecap>>;
      readonly seconds: number;
      /** What the playbook said of its run; missing where it said nothing. */
      readonly results?: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'failed'; readonly failure: Failure };

export type EventSink = (event: Event) => void;
