import type { WriteStream } from 'node:tty';
import type { Event, HostStatus } from './events.ts';

/** Keeps count of a run, and one status line at the foot of a terminal. */
export class Progress {
  /** While true, nothing is drawn. */
  isHeld = false;
  readonly #stream: WriteStream;
  readonly #hasStatusLine: boolean;
  #task = {
    name: '',
    number: 0,
    total: 0,
    started: 0,
    counts: new Map<HostStatus, number>(),
    handler: false,
    part: '',
  };
  #started = 0;
  /** The play whose heading is the last line, if any. */
  #heading = '';
  #ticker: NodeJS.Timeout | undefined;

  constructor(stream: WriteStream, hasStatusLine: boolean) {
    this.#stream = stream;
    this.#hasStatusLine = hasStatusLine && stream.isTTY;
  }

  follow(event: Event): void {
    if (event.type === 'run-started') this.#begin();
    if (event.type === 'host-finished') this.#count(event.status);
    if (event.type === 'run-finished' || event.type === 'failed') this.#end();
  }

  /** The finished task as one line, empty when there is none; call before a new one begins. */
  endOfTask(): string {
    const { name, number, total, counts, started, handler } = this.#task;
    if (name === '' || counts.size === 0) return '';
    const label = handler
      ? 'handler'.padStart(`${total}/${total}`.length + 2)
      : `[${String(number).padStart(`${total}`.length)}/${total}]`;
    const sums = [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
    this.#task = { ...this.#task, name: '' };
    return `${label} ${name}: ${sums} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`;
  }

  /** Whether a play needs a heading: not where the turn before was of the same play, and passed over all of it. */
  isNewPlay(name: string): boolean {
    const isNew = name !== this.#heading;
    this.#heading = name;
    return isNew;
  }

  /** Notes the task that begins now. */
  begin(event: Extract<Event, { type: 'task-started' }>): void {
    const { name, number, total, handler } = event;
    this.#task = { name, number, total, handler, started: Date.now(), counts: new Map(), part: '' };
  }

  /** Notes the part of the task that begins now: a line where it is of another role than the one before, else empty. */
  part({ name, number }: Extract<Event, { type: 'part-started' }>): string {
    const role = (text: string): string => /^(?:\d+ )?(.*?) : /.exec(text)?.[1] ?? '';
    const isNew = role(name) !== '' && role(name) !== role(this.#task.part);
    this.#task.part = `${number} ${name}`;
    return isNew ? `  ${String(number).padStart(4)} ${role(name)}` : '';
  }

  write(text: string): void {
    if (text === '') {
      this.#draw();
      return;
    }
    if (this.#hasStatusLine) this.#stream.write('\r\u001b[K');
    this.#stream.write(`${text}\n`);
    this.#draw();
  }

  #begin(): void {
    this.#started = Date.now();
    this.#heading = '';
    if (this.#hasStatusLine)
      this.#ticker = setInterval(() => {
        this.#draw();
      }, 1000).unref();
  }

  #end(): void {
    clearInterval(this.#ticker);
    if (this.#hasStatusLine && this.#started > 0) this.#stream.write('\r\u001b[K');
    this.#started = 0;
  }

  #count(status: HostStatus): void {
    this.#heading = '';
    this.#task.counts.set(status, (this.#task.counts.get(status) ?? 0) + 1);
  }

  #draw(): void {
    if (this.isHeld || !this.#hasStatusLine || this.#started === 0 || this.#task.name === '') return;
    const line = this.#statusLine();
    const width = this.#stream.columns;
    this.#stream.write(`\r\u001b[K${line.length < width ? line : `${line.slice(0, width - 2)}…`}`);
  }

  #statusLine(): string {
    const { name, number, total, counts, part } = this.#task;
    const sums = [...counts].map(([status, count]) => `${count} ${status}`).join(' ');
    return [
      `task ${number} of ${total}`,
      name,
      part,
      sums,
      `${clock(this.#elapsed())} gone`,
      this.#remaining(),
    ]
      .filter((part) => part !== '')
      .join(' · ');
  }

  #elapsed(): number {
    return (Date.now() - this.#started) / 1000;
  }

  /** A guess from the pace so far, once there is one. */
  #remaining(): string {
    const { number, total } = this.#task;
    if (number < 4) return '';
    return `about ${clock((this.#elapsed() / (number - 1)) * (total - number + 1))} left`;
  }
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
