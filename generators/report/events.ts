import { moment, type ReportEntry, type EntryStatus, type HostEntry } from './entry.ts';
import { isMap } from '../shape.ts';
import { messageOf, outputOf, type TaskResult } from './result-text.ts';

/** An event of ansible-runner, as far as a report reads it. What a host answered stands in it, so any part may be anything. */
export interface RunnerEvent {
  readonly event?: unknown;
  readonly stdout?: unknown;
  readonly created?: unknown;
  readonly event_data?: unknown;
}

/** `name`, `host`, `task`, `task_uuid`, `task_action`, `is_conditional`, `ignore_errors`, `duration`, `res`. */
type EventData = Readonly<Record<string, unknown>>;

/** Turns the events of a run, from the first on, into entries; keeps no more than the diffs of tasks that run. */
export class EventReader {
  readonly #diffs = new Map<string, string>();
  #begun = '';

  /** The entry that an event is, or undefined for one that tells nothing. */
  read(event: RunnerEvent): ReportEntry | undefined {
    const kind = textIn(event.event);
    const stdout = textIn(event.stdout);
    const data = mapIn(event.event_data);
    const at = moment(textIn(event.created));
    if (kind === 'playbook_on_play_start') {
      this.#begun = '';
      return { type: 'play', at, name: textIn(data['name']) };
    }
    if (kind === 'playbook_on_task_start') return this.#task(data, at);
    const status = statuses[kind];
    if (status !== undefined) return this.#host(status, data, at);
    if (kind === 'runner_on_file_diff') this.#keep(data, stdout.replaceAll('\r\n', '\n').trim());
    return /^(?:system_)?warning$|^error$/.test(kind) && stdout !== ''
      ? { type: 'warning', at, text: stdout.split(/\s+/).join(' ').trim() }
      : undefined;
  }

  /** A task of `meta` is announced again for each host that it is about. */
  #task(data: EventData, at: number): ReportEntry | undefined {
    const name = textIn(data['name']);
    const id = textIn(data['task_uuid']);
    if (id !== '' && id === this.#begun) return undefined;
    this.#begun = id;
    return { type: 'task', at, name, id, handler: data['is_conditional'] === true };
  }

  #keep(data: EventData, text: string): void {
    if (text === '') return;
    const key = keyOf(data);
    this.#diffs.set(key, `${this.#diffs.get(key) ?? ''}${text}\n`);
  }

  #host(told: EntryStatus, data: EventData, at: number): HostEntry {
    const [host, task, id] = [textIn(data['host']), textIn(data['task']), textIn(data['task_uuid'])];
    const { duration } = data;
    const res: TaskResult = mapIn(data['res']);
    const ignored = told === 'failed' && data['ignore_errors'] === true;
    const status = ignored ? 'ignored' : told === 'ok' && res.changed === true ? 'changed' : told;
    const diff = this.#diffs.get(keyOf(data)) ?? '';
    this.#diffs.delete(keyOf(data));
    const isBad = status === 'failed' || status === 'ignored' || status === 'unreachable';
    // What a task of `fail` did not let fail, it only tells.
    const isSpeech = told === 'ok' && /(?:^|\.)(?:debug|fail)$/.test(textIn(data['task_action']));
    const message = isBad ? messageOf(res) : isSpeech ? textOfSpeech(res) : '';
    return {
      ...{ type: 'host', at, host, task, id, status, message, diff },
      seconds: typeof duration === 'number' ? duration : 0,
      output: isBad ? outputOf(res) : '',
    };
  }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const mapIn = (value: unknown): EventData => (isMap(value) ? value : {});

const keyOf = (data: EventData): string => `${textIn(data['host'])}\n${textIn(data['task_uuid'])}`;

const textOfSpeech = ({ msg }: TaskResult): string => (typeof msg === 'string' ? msg : '');

const statuses: Readonly<Record<string, EntryStatus>> = {
  runner_on_ok: 'ok',
  runner_on_failed: 'failed',
  runner_on_unreachable: 'unreachable',
  runner_on_skipped: 'skipped',
};
