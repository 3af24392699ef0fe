import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface FakeServer {
  readonly target: string;
  /** As HAProxy's numbers say it: 0 none, 1 maintenance, 8 drain. */
  readonly state: number;
  readonly connections: number;
}

/** What the process that runs is, as its socket tells it; a test changes it as a reload would. */
export interface FakeHaproxy {
  readonly socket: string;
  readonly asked: readonly string[];
  description: string;
  /** `backend/server` → where it leads. */
  readonly servers: Map<string, FakeServer>;
  readonly close: () => Promise<void>;
}

/** The command line of a HAProxy that runs, on a socket of its own. */
export async function fakeHaproxy(
  description: string,
  servers: Readonly<Record<string, Partial<FakeServer>>>,
): Promise<FakeHaproxy> {
  const socket = join(mkdtempSync(join(tmpdir(), 'playsmith-haproxy-')), 'admin.sock');
  const asked: string[] = [];
  const known = new Map(
    Object.entries(servers).map(([name, own]) => [
      name,
      { target: '10.0.0.21:30080', state: 0, connections: 0, ...own },
    ]),
  );
  const fake = { socket, asked, description, servers: known, close: () => closed };
  const server = createServer((connection) => {
    connection.once('data', (data) => {
      const line = data.toString().trim();
      if (!line.startsWith('show ')) asked.push(line);
      connection.end(
        `${line
          .split(';')
          .map((command) => answer(fake, command.trim()))
          .join('\n')}\n`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  return Object.assign(fake, {
    close: () => {
      server.close();
      return closed;
    },
  });
}

type Known = Pick<FakeHaproxy, 'description' | 'servers'>;

function answer({ description, servers }: Known, command: string): string {
  const [verb = '', what = '', name = '', ...words] = command.split(' ');
  if (command === 'show info') return `Name: HAProxy\nVersion: 2.6.12-1+deb12u2\ndescription: ${description}`;
  if (command === 'show servers state') return states(servers);
  if (command === 'show stat') return statistics(servers);
  const server = servers.get(name === 'server' ? (words[0] ?? '') : name);
  if (verb === 'add') {
    servers.set(name, { target: words[0] ?? '', state: 1, connections: 0 });
    return 'New server registered.';
  }
  if (!server) return 'No such server.';
  if (verb === 'del') return deleted(servers, name);
  if (verb === 'shutdown') servers.set(words[0] ?? '', { ...server, connections: 0 });
  if (verb === 'enable' && what === 'server') servers.set(name, { ...server, state: 0 });
  if (words[0] === 'state') servers.set(name, { ...server, state: forced[words[1] ?? ''] ?? 0 });
  return '';
}

const forced: Readonly<Record<string, number>> = { maint: 1, drain: 8, ready: 0 };

function deleted(servers: FakeHaproxy['servers'], name: string): string {
  const server = servers.get(name);
  if (server?.state !== 1) return 'Only servers in maintenance mode can be deleted.';
  if (server.connections > 0) return 'Server still has connections attached to it, cannot remove it.';
  servers.delete(name);
  return 'Server deleted.';
}

const states = (servers: FakeHaproxy['servers']): string =>
  [
    '1',
    '# be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state srv_port',
    ...[...servers].map(([name, { target, state }]) => {
      const [backend, own] = name.split('/');
      const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(target) ?? [];
      return `3 ${backend} 1 ${own} ${host} 2 ${state} ${port}`;
    }),
  ].join('\n');

const statistics = (servers: FakeHaproxy['servers']): string =>
  [
    '# pxname,svname,scur',
    ...[...servers].map(([name, { connections }]) => `${name.replace('/', ',')},${connections}`),
  ].join('\n');
