import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Without `by` it is of the token's own user. */
export interface ForgedComment {
  readonly id: number;
  body: string;
  readonly by?: number;
}

/** The number of the token's user. */
const own = 41;

/** Comments of one merge request, as GitHub and GitLab keep them for clients with the right token. Close it. */
export interface ForgeStandIn {
  readonly address: string;
  readonly comments: ForgedComment[];
  /** Ids of comments that are somebody else's. */
  readonly foreign: Set<number>;
  /** What is answered to who asks whose the token is; the user's number when undefined. */
  identity: unknown;
  /** `POST /path`, in order. */
  readonly log: readonly string[];
  readonly close: () => Promise<void>;
}

/** Speaks as much of both as a comment needs; `token` is what the header `authorization` or `private-token` has to say. */
export async function startForge(token: string): Promise<ForgeStandIn> {
  const comments: ForgedComment[] = [];
  const told: { identity: unknown } = { identity: undefined };
  const foreign = new Set<number>();
  const log: string[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    log.push(`${method} ${url}`);
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const given = headers['private-token'] ?? headers.authorization?.replace('Bearer ', '');
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (given !== token) {
        answer(403, { message: 'Forbidden' });
      } else if (url === '/user') {
        answer(200, told.identity === undefined ? { id: own } : told.identity);
      } else if (url === '/graphql') {
        answer(200, told.identity === undefined ? { data: { viewer: { databaseId: own } } } : told.identity);
      } else if (method === 'GET') {
        const page = Number(new URL(url, 'http://forge').searchParams.get('page'));
        const shown = comments.slice(100 * (page - 1), 100 * page);
        const who = url.startsWith('/repos/') ? 'user' : 'author';
        answer(
          200,
          shown.map(({ id, body, by = own }) => ({ id, body, [who]: by === 0 ? null : { id: by } })),
        );
      } else {
        const { body } = JSON.parse(text) as { readonly body: string };
        const known = comments.find(({ id }) => url.endsWith(`/${id}`));
        if (known !== undefined && foreign.has(known.id)) {
          answer(403, { message: 'Forbidden' });
          return;
        }
        if (known === undefined) comments.push({ id: 1000 + comments.length, body });
        else known.body = body;
        answer(known === undefined ? 201 : 200, {});
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    comments,
    foreign,
    log,
    get identity() {
      return told.identity;
    },
    set identity(answer) {
      told.identity = answer;
    },
    close: () =>
      new Promise((resolve) =>
        server.close(() => {
          resolve();
        }),
      ),
  };
}
