import { Collector } from '../../generators/report/collector.ts';
import type { ReportEntry } from '../../generators/report/entry.ts';
import { EventReader } from '../../generators/report/events.ts';
import { readEventLines } from '../runtime/event-lines.ts';
import { printable } from '../runtime/printable.ts';

/** What lies in `events.ndjson.gz`; `unread`: lines that are no event, as a torn last one. */
export async function readEvents(
  path: string,
): Promise<{ readonly collected: Collector; readonly unread: number }> {
  const collected = new Collector();
  const reader = new EventReader();
  const unread = await readEventLines(path, (event) => {
    const entry = reader.read(event);
    if (entry) collected.take(clean(entry));
  });
  return { collected, unread };
}

/** Texts of other machines without what only a terminal would heed. */
export function clean(entry: ReportEntry): ReportEntry {
  if (entry.type === 'warning') return { ...entry, text: printable(entry.text) };
  if (entry.type !== 'host') return { ...entry, name: printable(entry.name) };
  const { message, output, diff, task } = entry;
  return {
    ...entry,
    ...{ message: printable(message), output: printable(output) },
    ...{ diff: printable(diff), task: printable(task) },
  };
}
