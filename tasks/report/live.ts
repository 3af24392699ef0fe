import { Collector } from '../../generators/report/collector.ts';
import type { Report } from '../../generators/report/report.ts';
import { ok, type Result } from '../../generators/result.ts';
import type { RunBrief } from '../runtime/agent/run-records.ts';
import type { Event } from '../runtime/events.ts';
import type { Failure } from '../runtime/failures.ts';
import { compose, type Parts } from './compose.ts';
import { entryOf } from './live-entry.ts';
import { serve, type Tls } from './live-server.ts';
import { pageOf } from './page-parts.ts';

/** A page that follows a run. */
export interface LivePage {
  readonly url: string;
  readonly hear: (event: Event) => void;
  /** Shows how it ended, or that it is followed no more, and closes. */
  readonly close: () => Promise<void>;
}

/** Serves the page of a run that goes on; it is told what happens by `hear`. */
export async function livePage(
  { record, ...known }: Pick<Parts, 'rendered' | 'records' | 'plan'> & { readonly record: RunBrief },
  place: { readonly host: string; readonly port: number; readonly tls?: Tls | undefined },
): Promise<Result<LivePage, Failure>> {
  const collected = new Collector();
  let brief = record;
  const report = (live: boolean): Report => {
    const now = new Date().toISOString();
    return compose({ ...known, run: { record: brief, collected }, live, now, notes: [] });
  };
  const served = await serve({
    ...place,
    html: () => pageOf(report(true)),
    current: () => JSON.stringify(report(true)),
  });
  if (!served.ok) return served;
  const { url, listeners, push, end } = served.value;
  const pace = new Pace(() => {
    if (listeners() > 0) push(JSON.stringify(report(true)));
  });
  return ok({
    url,
    hear: (event) => {
      const entry = entryOf(event, Date.now());
      if (entry) collected.take(entry);
      if (event.type === 'run-finished') brief = finishRun(brief, event);
      if (entry) pace.ask();
    },
    close: () => {
      pace.stop();
      return end(JSON.stringify(report(false)));
    },
  });
}

const finishRun = (brief: RunBrief, event: Extract<Event, { type: 'run-finished' }>): RunBrief => ({
  ...brief,
  ...{ status: event.status, seconds: event.seconds, recap: event.recap },
  ended: new Date().toISOString(),
});

/** At most once a second, and never more than a tenth of the time. */
class Pace {
  readonly #work: () => void;
  #timer: NodeJS.Timeout | undefined;
  #pause = 200;

  constructor(work: () => void) {
    this.#work = work;
  }

  ask(): void {
    this.#timer ??= setTimeout(() => {
      const before = performance.now();
      this.#work();
      this.#pause = Math.max(1000, (performance.now() - before) * 10);
      this.#timer = undefined;
    }, this.#pause).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
