import { ok, type Result } from '../../../generators/result.ts';
import type { Answers } from './messages.ts';
import type { Failure } from '../failures.ts';
import type { Transport } from '../transport.ts';

/**
 * Ways to one server for many who come one after the other: a login costs both ends more than most of what is asked. Whoever
 * closes the way that was lent gives it back, with what runs at its other end. Close it.
 */
export class Lending {
  readonly #open: () => Promise<Result<Transport, Failure>>;
  readonly #free: { readonly way: Transport; readonly since: number }[] = [];
  readonly #opened = new Set<Transport>();
  /** What nodes behind the server said that secrets are sealed to. */
  readonly keys = new Map<string, Answers['sealing-key']>();

  constructor(open: () => Promise<Result<Transport, Failure>>) {
    this.#open = open;
  }

  async take(): Promise<Result<Transport, Failure>> {
    for (let last = this.#free.pop(); last !== undefined; last = this.#free.pop()) {
      if (!last.way.isLost() && Date.now() - last.since < freshness) return ok(last.way);
      await this.end(last.way);
    }
    const opened = await this.#open();
    if (!opened.ok) return opened;
    this.#opened.add(opened.value);
    return ok(opened.value);
  }

  /** What was given back or ended before stays so. */
  async give(way: Transport): Promise<void> {
    if (!this.#opened.has(way) || this.#free.some((each) => each.way === way)) return;
    if (way.isLost()) await this.end(way);
    else this.#free.push({ way, since: Date.now() });
  }

  /** Instead of giving it back: nobody answers on it. */
  async end(way: Transport): Promise<void> {
    this.#opened.delete(way);
    await way.close();
  }

  async close(): Promise<void> {
    this.#free.length = 0;
    await Promise.all([...this.#opened].map((way) => this.end(way)));
  }
}

/** Milliseconds for which a way that nobody uses is believed to stand: what was cut off without a word is noticed much later. */
const freshness = 5000;
