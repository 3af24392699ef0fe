import { readFile } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../failures.ts';
import type { Transport } from '../transport.ts';
import { turns } from '../turns.ts';
import {
  defaultTiming,
  openConnection,
  plainCaller,
  type Opening,
  type ConnectionProblem,
  type Timing,
} from './connection.ts';
import { hopName, type Hop } from './hop.ts';
import { parseKnownHosts, type KnownHost } from './known-hosts.ts';
import { sftpConnection } from './sftp.ts';
import { sshTransport } from './ssh-transport.ts';
import type { SshClient } from './ssh2.ts';

export interface ConnectOptions {
  readonly timing?: Partial<Timing>;
  /** How often connecting is tried, and the milliseconds before the second time; each later wait is twice as long. */
  readonly attempts?: number;
  readonly pause?: number;
  /** Hears which key each machine on the way shows, before it is judged. */
  readonly onHostKey?: Opening['onHostKey'];
}

/** Connects hop by hop. What a moment may cure is tried again; a refused login or host key never is. */
export async function connectSsh(
  route: readonly Hop[],
  { timing, attempts = 3, pause = 500, onHostKey }: ConnectOptions = {},
): Promise<Result<Transport, Failure>> {
  for (let attempt = 1; ; attempt += 1) {
    const opened = await login(() =>
      openRoute(route, { timing: { ...defaultTiming, ...timing }, ...(onHostKey && { onHostKey }) }),
    );
    if (opened.ok) return opened;
    if (!opened.failure.retry || attempt >= attempts) return failed(opened.failure.failure);
    await sleep(pause * 2 ** (attempt - 1));
  }
}

/** OpenSSH's server turns away some of those who knock while ten are logging in: `MaxStartups`. */
const login = turns(5);

async function openRoute(
  route: readonly Hop[],
  common: Pick<Opening, 'timing' | 'onHostKey'>,
): Promise<Result<Transport, ConnectionProblem>> {
  const open: SshClient[] = [];
  const server = sftpConnection();
  let through: Duplex | undefined;
  for (const [index, hop] of route.entries()) {
    const known = await readKnownHosts(hop.trust.files);
    const next = route[index + 1];
    const caller = next === undefined ? server : plainCaller();
    const client = await openConnection({ ...common, hop, known, caller, ...(through && { through }) });
    if (!client.ok) {
      for (const each of open) each.destroy();
      return client;
    }
    open.unshift(client.value);
    if (next === undefined) return ok(sshTransport(hopName(hop), server, open.slice(1)));
    const way = await forward(client.value, { from: hop, to: next });
    if (!way.ok) {
      for (const each of open) each.destroy();
      return way;
    }
    through = way.value;
  }
  throw new Error('a route has at least one hop');
}

const forward = (
  client: SshClient,
  { from, to }: { from: Hop; to: Hop },
): Promise<Result<Duplex, ConnectionProblem>> =>
  new Promise((resolve) => {
    client.forwardOut('127.0.0.1', 0, to.host, to.port, (error, channel) => {
      if (!error) {
        resolve(ok(channel));
        return;
      }
      const failure: Failure = {
        kind: 'connection',
        message: `Cannot reach ${hopName(to)} through ${hopName(from)}: ${error.message}`,
        next: 'Check that the jump host reaches it, and allows forwarding',
      };
      resolve(failed({ failure, retry: false }));
    });
  });

/** Files that are missing or unreadable know nobody. */
export async function readKnownHosts(files: readonly string[]): Promise<KnownHost[]> {
  const texts = await Promise.all(
    files.map(async (path) => parseKnownHosts(await readFile(path, 'utf8').catch(() => ''), path)),
  );
  return texts.flat();
}
