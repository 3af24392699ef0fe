import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { crc32, createGunzip } from 'node:zlib';

const checksum = /,"crc32":"([0-9a-f]{8})"\}$/;

/** Takes lines of one file for events. Records of before there were checksums are read as well. */
class EventLines {
  #checked = false;

  /** Undefined for what is none, as the zeros that a power cut leaves in place of a line. */
  read(line: string): object | undefined {
    const told = checksum.exec(line);
    const body = told === null ? line : `${line.slice(0, told.index)}}`;
    this.#checked ||= told !== null;
    if (this.#checked && crc32(body) !== Number.parseInt(told?.[1] ?? '', 16)) return undefined;
    try {
      const found: unknown = JSON.parse(body);
      return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Gives each event of an `events.ndjson.gz` to `take`; answers how many lines are no event, a copy that ends too early being one. */
export async function readEventLines(path: string, take: (event: object) => void): Promise<number> {
  const lines = new EventLines();
  let unread = 0;
  const packed = createReadStream(path);
  const plain = packed.pipe(createGunzip());
  packed.on('error', (error) => plain.destroy(error));
  try {
    for await (const line of createInterface({ input: plain })) {
      const event = lines.read(line);
      if (event === undefined) unread += 1;
      else take(event);
    }
  } catch {
    unread += 1;
  }
  return unread;
}
