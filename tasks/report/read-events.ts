import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { Collector } from '../../generators/report/collector.ts';
import type { Entry } from '../../generators/report/entry.ts';
import { EventReader, type RunnerEvent } from '../../generators/report/events.ts';
import { printable } from '../runtime/printable.ts';

/** What lies in `events.ndjson.gz`, read line by line; `unread`: lines that are no event, as a torn last one. */
export async function readEvents(
  path: string,
): Promise<{ readonly collected: Collector; readonly unread: number }> {
  const collected = new Collector();
  const reader = new EventReader();
  let unread = 0;
  const packed = createReadStream(path);
  const plain = packed.pipe(createGunzip());
  packed.on('error', (error) => plain.destroy(error));
  try {
    for await (const line of createInterface({ input: plain })) {
      const event = eventIn(line);
      if (event === undefined) unread += 1;
      const entry = event && reader.read(event);
      if (entry) collected.take(clean(entry));
    }
  } catch {
    // A copy that ends too early tells all that came before.
    unread += 1;
  }
  return { collected, unread };
}

function eventIn(line: string): RunnerEvent | undefined {
  try {
    const found: unknown = JSON.parse(line);
    return typeof found === 'object' && found !== null ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Texts of other machines without what only a terminal would heed. */
export function clean(entry: Entry): Entry {
  if (entry.type === 'warning') return { ...entry, text: printable(entry.text) };
  if (entry.type !== 'host') return { ...entry, name: printable(entry.name) };
  const { message, output, diff, task } = entry;
  return {
    ...entry,
    ...{ message: printable(message), output: printable(output) },
    ...{ diff: printable(diff), task: printable(task) },
  };
}
