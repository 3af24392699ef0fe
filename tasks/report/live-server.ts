import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo } from 'node:net';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import { isLoopback } from './listen-address.ts';
import { Door } from './live-door.ts';
import { hostInUrl } from '../../generators/source/networks.ts';

export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Where a page is served, and what it shows when it is opened. */
export interface ServedAt {
  /** An address of this machine. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** PEM; undefined: plain HTTP, which is for loopback alone. */
  readonly tls?: Tls | undefined;
  readonly html: () => Promise<string>;
  /** The report as it is now, as JSON. */
  readonly current: () => string;
}

export interface LiveServer {
  /** Opens the page once; whoever opened it may load it again. */
  readonly url: string;
  readonly listeners: () => number;
  readonly push: (report: string) => void;
  /** Tells the last report, and listens no more. */
  readonly end: (report: string) => Promise<void>;
}

/** Serves one page to one reader. The address holds a token that works once and is then exchanged for a cookie. */
export async function serve(served: ServedAt): Promise<Result<LiveServer, Failure>> {
  if (!served.tls && !isLoopback(served.host)) return failed(openToOthers(served.host));
  const door = new Door(served.tls !== undefined);
  const streams = new Set<ServerResponse>();
  const made = serverOf(served, (request, response) => {
    answer(request, response, { served, door, streams }).catch(() => {
      broken(response);
    });
  });
  if (!made.ok) return made;
  const server = made.value;
  const listening = await listen(server, served);
  if (!listening.ok) return listening;
  door.host = `${hostInUrl(served.host)}:${listening.value}`;
  return ok({
    url: `${served.tls ? 'https' : 'http'}://${door.host}/${door.token}`,
    listeners: () => streams.size,
    push: (report) => {
      // Each report is whole: a reader who has not taken the last one misses nothing by waiting for the next.
      for (const stream of streams) if (!stream.writableNeedDrain) stream.write(message('report', report));
    },
    end: async (report) => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const stream of streams) stream.end(message('end', report));
      // A reader who takes nothing more keeps nobody waiting.
      setTimeout(() => {
        server.closeAllConnections();
      }, 2000).unref();
      server.closeIdleConnections();
      await closed;
    },
  });
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

function serverOf({ tls }: ServedAt, handler: Handler): Result<Server, Failure> {
  try {
    return ok(tls ? createSecureServer({ ...tls, minVersion: 'TLSv1.2' }, handler) : createServer(handler));
  } catch (error) {
    return failed({
      kind: 'usage',
      message: `the certificate and key of the page cannot be used: ${(error as Error).message}`,
      next: 'Name files in PEM that belong together with --web-cert and --web-key',
    });
  }
}

const openToOthers = (host: string): Failure => ({
  kind: 'usage',
  message: `${host} is not loopback: a page that others can reach needs --web-cert and --web-key`,
  next: 'Name both, or leave the page on loopback and reach it with `ssh -L`',
});

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  {
    served,
    door,
    streams,
  }: { readonly served: ServedAt; readonly door: Door; readonly streams: Set<ServerResponse> },
): Promise<void> {
  const { method, headers, url = '' } = request;
  // Another name that leads to this address is a page of somebody else's.
  if (headers.host !== door.host) {
    refuse(response, 421, 'This is not served under that name.');
    return;
  }
  if (method !== 'GET') {
    refuse(response, 405, 'This page can only be read.');
    return;
  }
  if (door.opens(url)) {
    response.writeHead(303, { ...guards, location: '/live/', 'set-cookie': door.cookie() }).end();
    return;
  }
  if (!door.knows(request)) {
    refuse(response, 403, 'This address works once: attach again for a new one.');
    return;
  }
  if (url === '/live/') {
    const html = await served.html();
    response.writeHead(200, { ...guards, 'content-type': 'text/html; charset=utf-8' }).end(html);
  } else if (url === '/live/events') {
    const now = message('report', served.current());
    response.writeHead(200, { ...guards, 'content-type': 'text/event-stream' });
    response.write(now);
    streams.add(response);
    response.on('close', () => streams.delete(response));
  } else refuse(response, 404, 'There is only one page here.');
}

const guards = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { ...guards, 'content-type': 'text/plain; charset=utf-8' }).end(`${why}\n`);
}

/** One request that cannot be answered ends nothing but itself. */
function broken(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else refuse(response, 500, 'The page cannot be drawn just now: load it again.');
}

/** JSON has no line breaks, so that one line holds it. */
const message = (name: string, report: string): string => `event: ${name}\ndata: ${report}\n\n`;

const listen = (server: Server, { host, port }: ServedAt): Promise<Result<number, Failure>> =>
  new Promise((resolve) => {
    server.once('error', (error) => {
      resolve(
        failed({
          kind: 'usage',
          message: `cannot listen on ${host}, port ${port}: ${error.message}`,
          next: 'Name another with --web-listen address:port',
        }),
      );
    });
    server.listen({ host, port }, () => {
      resolve(ok((server.address() as AddressInfo).port));
    });
  });
