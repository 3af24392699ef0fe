import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import { createFolder } from '../runtime/folders.ts';
import { ask, isPage, noAnswer, pageInstead, type HttpRequest } from '../runtime/http.ts';
import { sha256Of } from '../runtime/sums.ts';

export interface Download extends HttpRequest {
  readonly address: string;
  readonly path: string;
  /** SHA-256, hex; empty: nobody knows it. */
  readonly sha256: string;
  /** Bytes that it has at most; more than any file has that a cluster is made of when left out. */
  readonly most?: number;
  /** Seconds in which something has to come that is worth waiting for; minutes when left out. */
  readonly patience?: number;
}

/** Fetches a file to a path, whole and as its checksum says, or not at all; one that is right already is not fetched. */
export async function download(wish: Download): Promise<Result<void, Failure>> {
  const { address, path, sha256 } = wish;
  if (sha256 !== '' && (await digestOf(path)) === sha256) return ok(undefined);
  const partial = `${path}.partial`;
  for (let attempt = 1; ; attempt += 1) {
    const got = await stream(wish, partial);
    if (got.ok && (sha256 === '' || got.value === sha256)) {
      await rename(partial, path);
      return ok(undefined);
    }
    await rm(partial, { force: true });
    if (got.ok) return failed(sumDiffers(address, got.value, sha256));
    // A body that breaks off in the middle is asked for again, from its beginning.
    if (!got.failure.brokeOff || attempt === 3) return failed(got.failure.failure);
  }
}

interface DownloadProblem {
  readonly failure: Failure;
  readonly brokeOff: boolean;
}

/** Bytes in the time of `patience`, but at the end: less is no link, or somebody who drips. */
const least = 64 * 1024;
const largest = 64 * 1024 ** 3;

/** Writes what the address gives, and tells its SHA-256. */
async function stream(wish: Download, partial: string): Promise<Result<string, DownloadProblem>> {
  const { address, patience = 300 } = wish;
  const ending = new AbortController();
  const arrival = { bytes: 0, hash: createHash('sha256') };
  let before = 0;
  const timer = setInterval(() => {
    const few = arrival.bytes - before;
    if (few < least) ending.abort(new Error(`it sends nearly nothing (${few} bytes in ${patience} s)`));
    before = arrival.bytes;
  }, patience * 1000);
  try {
    const answer = await ask(address, { ...wish, end: ending.signal });
    if (!answer.ok) return failed({ failure: answer.failure, brokeOff: false });
    createFolder(dirname(partial));
    const file = createWriteStream(partial, { mode: 0o644 });
    await pipeline(Readable.from(answer.value.body ?? []), judging(wish, arrival, ending), file);
    return ok(arrival.hash.digest('hex'));
  } catch (error) {
    if (ending.signal.aborted)
      return failed({ failure: noAnswer(address, (ending.signal.reason as Error).message), brokeOff: false });
    return failed(streamProblem(error as NodeJS.ErrnoException, address, partial));
  } finally {
    clearInterval(timer);
  }
}

/** Counts what comes, and ends what nobody could want. */
const judging = (
  { most = largest }: Download,
  arrival: { bytes: number; readonly hash: Hash },
  ending: AbortController,
): Transform =>
  new Transform({
    transform: (chunk: Buffer, _, done) => {
      if (arrival.bytes === 0 && isPage(chunk)) ending.abort(new Error(pageInstead));
      arrival.bytes += chunk.length;
      if (arrival.bytes > most) ending.abort(new Error(`it has more than ${most} bytes`));
      arrival.hash.update(chunk);
      done(ending.signal.aborted ? (ending.signal.reason as Error) : null, chunk);
    },
  });

/** Only the disk names the call that failed. */
const streamProblem = (
  { syscall, message }: NodeJS.ErrnoException,
  address: string,
  partial: string,
): DownloadProblem =>
  syscall === undefined
    ? { failure: noAnswer(address, `it broke off (${message})`), brokeOff: true }
    : { failure: { kind: 'file', message: `cannot write ${partial}: ${message}` }, brokeOff: false };

const digestOf = (path: string): Promise<string> => sha256Of(path).catch(() => '');

const sumDiffers = (address: string, seen: string, wanted: string): Failure => ({
  kind: 'bundle',
  message: `${address} does not have the expected content; nothing of it was kept`,
  evidence: `sha256 ${seen}, wanted ${wanted}`,
});
