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
  /** What to do when there is no answer; of artifacts when left out. */
  readonly next?: string;
}

/** Asks until there is an answer: what a moment may cure is tried again, four times in all. */
export async function ask(
  address: string,
  { headers = {}, ca = '', accepted = [], within, method = 'GET', body, next }: HttpRequest = {},
): Promise<Result<Response, Failure>> {
  const attempts = within === undefined ? 4 : 1;
  for (let attempt = 1; ; attempt += 1) {
    const problem = await askOnce(address, {
      method,
      headers,
      dispatcher: dispatcherOf(ca),
      ...(body === undefined ? {} : { body }),
      ...(within === undefined ? {} : { signal: AbortSignal.timeout(within * 1000) }),
    });
    if (problem instanceof Error) {
      if (attempt === attempts) return failed(noAnswer(address, reasonOf(problem), next));
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
