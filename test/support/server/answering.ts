import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback that answers every request as it is told. Close it. */
export interface AnsweringServer {
  readonly url: string;
  readonly close: () => void;
}

/** `respond` has the path of what was asked for. */
export async function startAnswering(
  respond: (response: ServerResponse, path: string) => void,
): Promise<AnsweringServer> {
  const server = createServer(({ url = '' }, response) => {
    respond(response, url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A byte from time to time, without an end. */
export function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/plain' });
  const timer = setInterval(() => response.write('1'), 20);
  response.on('close', () => {
    clearInterval(timer);
  });
}

/** What a portal or a proxy shows to people, with status 200. */
export function showPage(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!DOCTYPE html>\n<html><body>Please log in</body></html>\n');
}
