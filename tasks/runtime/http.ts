// The one place that imports undici: unlike Node's own fetch it knows proxies of the environment and other authorities.
import { setTimeout as sleep } from 'node:timers/promises';
import { EnvHttpProxyAgent, fetch, type Dispatcher, type Response } from 'undici';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from './failures.ts';

export interface HttpRequest {
  /** GET when left out. */
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Certificate authorities in PEM besides nobody else's; empty: those of the system. */
  readonly ca?: string;
  /** Answers that are no fault besides 200. */
  readonly accepted?: readonly number[];
  /** Seconds for an answer, which is then asked for once only. */
  readonly within?: number;
  /** Ends it, whatever was answered so far; the reason is told. */
  readonly end?: AbortSignal;
  /** What to do when there is no answer; of artifacts when left out. */
  readonly next?: string;
}

/** Asks until there is an answer: what a moment may cure is tried again, four times in all. */
export async function ask(
  address: string,
  { headers = {}, ca = '', accepted = [], within, end, method = 'GET', body, next }: HttpRequest = {},
): Promise<Result<Response, Failure>> {
  const attempts = within === undefined ? 4 : 1;
  const ends = [...(within === undefined ? [] : [AbortSignal.timeout(within * 1000)]), ...(end ? [end] : [])];
  for (let attempt = 1; ; attempt += 1) {
    const problem = await askOnce(address, {
      method,
      headers,
      dispatcher: dispatcherOf(ca),
      ...(body === undefined ? {} : { body }),
      ...(ends.length === 0 ? {} : { signal: AbortSignal.any(ends) }),
    });
    if (problem instanceof Error) {
      if (attempt === attempts || end?.aborted === true)
        return failed(noAnswer(address, reasonOf(problem), next));
    } else {
      const { status } = problem;
      if (problem.ok || accepted.includes(status)) return ok(problem);
      await problem.body?.cancel();
      if (attempt === attempts || !(status >= 500 || status === 429))
        return failed(noAnswer(address, `status ${status}`, next));
    }
    await sleep(pause * 2 ** attempt);
  }
}

export interface DocumentRequest extends HttpRequest {
  /** Bytes that it has at most; some megabytes when left out. */
  readonly most?: number;
}

/** An answer that came to its end. */
export interface HttpDocument {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly bytes: Buffer;
}

/** Asks for what is read as a whole. It has an end in time and size, whatever a server drips, and is no page of a portal. */
export async function askForDocument(
  address: string,
  { most = 8 * 1024 * 1024, within = 300, ...request }: DocumentRequest = {},
): Promise<Result<HttpDocument, Failure>> {
  const { next } = request;
  const ending = new AbortController();
  const late = `it did not end within ${within} s`;
  const timer = setTimeout(() => {
    ending.abort(new Error(late));
  }, within * 1000);
  try {
    const answer = await ask(address, { ...request, end: ending.signal });
    if (!answer.ok) return answer;
    const { status, headers, body } = answer.value;
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body ?? []) {
      chunks.push(Buffer.from(chunk as Uint8Array));
      size += chunks.at(-1)?.length ?? 0;
      if (size > most) return failed(noAnswer(address, `it has more than ${most} bytes`, next));
    }
    const bytes = Buffer.concat(chunks);
    return isPage(bytes) ? failed(noAnswer(address, pageInstead, next)) : ok({ status, headers, bytes });
  } catch (error) {
    const reason = ending.signal.aborted ? late : `it broke off (${reasonOf(error as Error)})`;
    return failed(noAnswer(address, reason, next));
  } finally {
    clearTimeout(timer);
  }
}

/** What it says as JSON; undefined where it is none. */
export function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Whether this is how a page for people begins. Nothing that is fetched is one; its type may be said of anything. */
export const isPage = (bytes: Buffer): boolean =>
  /^\uFEFF?\s*(?:<!--[^>]*-->\s*)*<(?:!doctype html|html)\b/i.test(bytes.toString('utf8', 0, 1024));

export const pageInstead =
  'a page for people came in its place, as of a proxy or of a portal that wants a login';

const pause = 100;

const askOnce = async (
  address: string,
  options: {
    readonly method: string;
    readonly body?: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly dispatcher: Dispatcher;
    readonly signal?: AbortSignal;
  },
): Promise<Response | Error> => {
  try {
    return await fetch(address, options);
  } catch (error) {
    return error as Error;
  }
};

const dispatchers = new Map<string, Dispatcher>();

function dispatcherOf(ca: string): Dispatcher {
  const known = dispatchers.get(ca) ?? new EnvHttpProxyAgent(ca === '' ? {} : { connect: { ca } });
  dispatchers.set(ca, known);
  return known;
}

/** fetch says `fetch failed`; the cause says why. */
const reasonOf = (error: Error): string =>
  error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;

/** What is shown of an address: registries redirect to ones that carry signatures. */
const withoutQuery = (address: string): string => address.split('?')[0] ?? address;

export const noAnswer = (address: string, reason: string, next = ofArtifacts): Failure => ({
  kind: 'connection',
  message: `cannot fetch ${withoutQuery(address)}: ${reason}`,
  next,
});

const ofArtifacts =
  'Check the network and its proxy (HTTPS_PROXY, NO_PROXY), or name a mirror with --mirror; what was fetched is kept';
