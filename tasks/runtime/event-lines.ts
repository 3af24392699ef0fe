import { createReadStream } from 'node:fs';
import { crc32, createGunzip } from 'node:zlib';
import { longest } from '../../generators/shape.ts';

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
    for await (const line of linesOf(plain)) {
      const event = line === undefined ? undefined : lines.read(line);
      if (event === undefined) unread += 1;
      else take(event);
    }
  } catch {
    unread += 1;
  }
  return unread;
}

/** Undefined for a line that is longer than any event: a few packed bytes may stand for more than the memory holds. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string | undefined> {
  let pieces: Buffer[] = [];
  let length = 0;
  const keep = (piece: Buffer): void => {
    length += piece.length;
    if (length <= longest) pieces.push(piece);
    else pieces = [];
  };
  const whole = (): string | undefined => {
    const line = length <= longest ? Buffer.concat(pieces).toString('utf8') : undefined;
    pieces = [];
    length = 0;
    return line;
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      yield whole();
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield whole();
}
