import type { ReportEntry, EntryStatus, HostEntry } from './entry.ts';

/** How one task ended on one host; times in milliseconds since 1970. */
export interface TaskEnding {
  readonly host: number;
  readonly from: number;
  readonly to: number;
  readonly status: EntryStatus;
}

export interface CollectedTask {
  readonly name: string;
  readonly id: string;
  readonly handler: boolean;
  /** A place in `plays`. */
  readonly play: number;
  readonly from: number;
  readonly ends: TaskEnding[];
}

export interface CollectedPlay {
  readonly name: string;
  readonly from: number;
}

export interface CollectedFailure {
  readonly status: 'failed' | 'unreachable';
  readonly hosts: string[];
  readonly play: string;
  readonly task: string;
  readonly at: number;
  readonly message: string;
  readonly output: string;
}

export interface CollectedChange {
  readonly play: string;
  readonly task: string;
  readonly diff: string;
  readonly hosts: Set<number>;
}

/** Takes the entries of a run one after the other, and keeps what a report is made of; it can be read at any time. */
export class Collector {
  readonly hosts = new Map<string, number>();
  readonly plays: CollectedPlay[] = [];
  readonly tasks: CollectedTask[] = [];
  readonly failures = new Map<string, CollectedFailure>();
  readonly changes = new Map<string, CollectedChange>();
  readonly warnings: string[] = [];
  readonly words: { readonly label: string; readonly value: string }[] = [];
  /** Of the first and of the latest entry; NaN before there is one. */
  start = Number.NaN;
  end = Number.NaN;

  take(entry: ReportEntry): void {
    this.#see(entry.at);
    if (entry.type === 'play') this.plays.push({ name: entry.name, from: entry.at });
    else if (entry.type === 'task') this.#begin(entry);
    else if (entry.type === 'host') this.#finish(entry);
    else if (!this.warnings.includes(entry.text)) this.warnings.push(entry.text);
  }

  #see(at: number): void {
    if (Number.isNaN(at)) return;
    if (Number.isNaN(this.start)) this.start = at;
    this.end = Number.isNaN(this.end) ? at : Math.max(this.end, at);
  }

  #begin({ name, id, handler, at }: Extract<ReportEntry, { type: 'task' }>): void {
    this.tasks.push({ name, id, handler, play: this.plays.length - 1, from: at, ends: [] });
  }

  #finish(entry: HostEntry): void {
    const host = this.hosts.get(entry.host) ?? this.hosts.size;
    this.hosts.set(entry.host, host);
    const task = this.#taskOf(entry);
    const play = this.plays[task?.play ?? -1]?.name ?? '';
    const { at, seconds, status } = entry;
    task?.ends.push({ host, from: Math.max(task.from, at - seconds * 1000), to: at, status });
    if (status === 'failed' || status === 'unreachable') this.#fail({ ...entry, status }, play);
    if (status === 'changed') this.#change(entry, host, play);
    if (status === 'ok' && entry.message !== '')
      this.words.push({ label: `${entry.host}: ${entry.task}`, value: entry.message });
  }

  /** The latest of that id; of that name where there is none, since names come with and without their role. */
  #taskOf({ id, task }: HostEntry): CollectedTask | undefined {
    return this.tasks.findLast((each) =>
      id === '' || each.id === '' ? each.name === task || each.name.endsWith(` : ${task}`) : each.id === id,
    );
  }

  #fail(entry: HostEntry & { readonly status: 'failed' | 'unreachable' }, play: string): void {
    const { host, status, task, at, message, output } = entry;
    const key = [play, task, status, message].join('\n');
    const known = this.failures.get(key);
    if (known === undefined)
      this.failures.set(key, { hosts: [host], status, play, task, at, message, output });
    else known.hosts.push(host);
  }

  #change({ task, diff }: HostEntry, host: number, play: string): void {
    const key = [play, task, diff].join('\n');
    const known = this.changes.get(key);
    if (known === undefined) this.changes.set(key, { play, task, diff, hosts: new Set([host]) });
    else known.hosts.add(host);
  }
}
