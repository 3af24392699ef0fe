import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';

/** Where a page is served, and what it shows when it is opened. */
export interface Served {
  /** An address of this machine. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
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
export async function serve(served: Served): Promise<Result<LiveServer, Failure>> {
  const door = new Door();
  const streams = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    void answer(request, response, { served, door, streams });
  });
  const listening = await listen(server, served);
  if (!listening.ok) return listening;
  door.host = `${isIP(served.host) === 6 ? `[${served.host}]` : served.host}:${listening.value}`;
  return ok({
    url: `http://${door.host}/${door.token}`,
    listeners: () => streams.size,
    push: (report) => {
      for (const stream of streams) stream.write(message('report', report));
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

/** Who may come in: the bearer of the token once, then the bearer of the cookie. */
class Door {
  host = '';
  readonly token = randomBytes(24).toString('base64url');
  readonly #cookie = randomBytes(24).toString('base64url');
  #isUsed = false;

  /** True once, for the token. */
  opens(path: string): boolean {
    if (this.#isUsed || !isSame(path, `/${this.token}`)) return false;
    this.#isUsed = true;
    return true;
  }

  cookie(): string {
    return `playsmith-${this.#port()}=${this.#cookie}; HttpOnly; SameSite=Strict; Path=/live`;
  }

  knows({ headers }: IncomingMessage): boolean {
    const own = `playsmith-${this.#port()}=`;
    const cookies = (headers.cookie ?? '').split(/; */);
    const given = cookies.find((cookie) => cookie.startsWith(own));
    return given !== undefined && isSame(given.slice(own.length), this.#cookie);
  }

  #port(): string {
    return this.host.slice(this.host.lastIndexOf(':') + 1);
  }
}

const isSame = (given: string, wanted: string): boolean =>
  given.length === wanted.length &&
  timingSafeEqual(Buffer.from(given.padEnd(1)), Buffer.from(wanted.padEnd(1)));

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  {
    served,
    door,
    streams,
  }: { readonly served: Served; readonly door: Door; readonly streams: Set<ServerResponse> },
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
    response.writeHead(200, { ...guards, 'content-type': 'text/event-stream' });
    response.write(message('report', served.current()));
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

/** JSON has no line breaks, so that one line holds it. */
const message = (name: string, report: string): string => `event: ${name}\ndata: ${report}\n\n`;

const listen = (server: Server, { host, port }: Served): Promise<Result<number, Failure>> =>
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
