import { connect as connectSocket, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../failures.ts';
import { login, type SshLogin } from './auth.ts';
import { hopName, type Hop } from './hop.ts';
import { hostKeyOf, judge, preferredAlgorithms, type HostKey } from './host-key.ts';
import type { KnownHost } from './known-hosts.ts';
import { Client, type ConnectConfig, type SshClient } from './ssh2.ts';

export interface Timing {
  /** Milliseconds for the connection and for the handshake, each. */
  readonly connect: number;
  /** Milliseconds for logging in: servers answer a wrong password late on purpose. */
  readonly login: number;
  readonly keepaliveInterval: number;
  readonly keepaliveCount: number;
}

export const defaultTiming: Timing = {
  connect: 10_000,
  login: 30_000,
  keepaliveInterval: 15_000,
  keepaliveCount: 4,
};

/** `retry`: it may work a moment later. */
export interface ConnectionProblem {
  readonly failure: Failure;
  readonly retry: boolean;
}

/** What logs in: a client of ssh2, whoever owns it. */
export interface Caller {
  readonly client: SshClient;
  readonly connect: (config: ConnectConfig) => void;
}

/** For a machine on the way, through which nothing but the next connection goes. */
export function plainCaller(): Caller {
  const client = new Client();
  return { client, connect: (config) => client.connect(config) };
}

export interface Opening {
  readonly hop: Hop;
  readonly caller: Caller;
  readonly known: readonly KnownHost[];
  readonly timing: Timing;
  /** Hears which key a machine shows, before it is judged. */
  readonly onHostKey?: (key: HostKey, hop: Hop) => void;
  /** The way through the hop before; left out: a connection of our own. */
  readonly through?: Duplex;
}

/** Connects, checks the host key, logs in. */
export async function openConnection(opening: Opening): Promise<Result<SshClient, ConnectionProblem>> {
  const auth = await login(opening.hop);
  const socket = opening.through ? ok(opening.through) : await openSocket(opening);
  if (!socket.ok) return socket;
  return logIn(opening, socket.value, auth);
}

function openSocket({ hop, timing }: Opening): Promise<Result<Socket, ConnectionProblem>> {
  return new Promise((resolve) => {
    const socket = connectSocket({ host: hop.host, port: hop.port, noDelay: true });
    const fail = (problem: ConnectionProblem): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(failed(problem));
    };
    const timer = setTimeout(() => {
      fail(unreachable(hop, `no answer within ${timing.connect / 1000} s`));
    }, timing.connect);
    // Stays: a connection may be reset at any time, also before somebody else listens to it.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      fail(unreachable(hop, reasons[error.code ?? ''] ?? error.message, error.code !== 'ENOTFOUND'));
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(ok(socket));
    });
  });
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens on that port',
  ENOTFOUND: 'no such host name',
  EHOSTUNREACH: 'there is no way to that address',
  ENETUNREACH: 'there is no way to that network',
  ETIMEDOUT: 'no answer',
};

function logIn(
  opening: Opening,
  sock: Duplex,
  auth: SshLogin,
): Promise<Result<SshClient, ConnectionProblem>> {
  const { hop, timing, caller } = opening;
  const { client } = caller;
  return new Promise((resolve) => {
    let stage: 'handshake' | 'login' = 'handshake';
    const fail = (problem: ConnectionProblem): void => {
      clearTimeout(timer);
      client.destroy();
      sock.destroy();
      resolve(failed(problem));
    };
    const timer = setTimeout(() => {
      fail(unreachable(hop, `the SSH handshake took longer than ${timing.connect / 1000} s`));
    }, timing.connect);
    const verify = (wire: Buffer): boolean => {
      const key = hostKeyOf(wire);
      opening.onHostKey?.(key, hop);
      const refusal = judge(key, { trust: hop.trust, known: opening.known });
      if (refusal) fail({ failure: refusal, retry: false });
      return refusal === undefined;
    };
    client.once('handshake', () => {
      stage = 'login';
      clearTimeout(timer);
    });
    const hungUp = (): void => {
      fail(auth.refused() ? { failure: auth.failure(), retry: false } : unreachable(hop, 'it hung up'));
    };
    client.once('ready', () => {
      clearTimeout(timer);
      client.off('close', hungUp);
      resolve(ok(client));
    });
    // Stays for the life of the connection: what uses it hears of a loss by its own streams.
    client.on('error', (error: Error & { level?: string }) => {
      if (error.level === 'agent') return;
      fail(problemOf(error, hop, { stage, auth }));
    });
    client.once('close', hungUp);
    caller.connect(configuration(opening, { sock, auth, verify }));
  });
}

function configuration(
  { hop, known, timing }: Opening,
  { sock, auth, verify }: { sock: Duplex; auth: SshLogin; verify: (wire: Buffer) => boolean },
): ConnectConfig {
  return {
    sock,
    username: hop.user,
    hostVerifier: verify,
    algorithms: { serverHostKey: [...preferredAlgorithms(hop.trust, known)], hmac: [...macs] },
    authHandler: auth.handler,
    readyTimeout: timing.connect + timing.login,
    keepaliveInterval: timing.keepaliveInterval,
    keepaliveCountMax: timing.keepaliveCount,
  };
}

/** ssh2's, without those over SHA-1. */
const macs = [
  'hmac-sha2-256-etm@openssh.com',
  'hmac-sha2-512-etm@openssh.com',
  'hmac-sha2-256',
  'hmac-sha2-512',
] as const;

function problemOf(
  error: Error & { level?: string },
  hop: Hop,
  { stage, auth }: { stage: 'handshake' | 'login'; auth: SshLogin },
): ConnectionProblem {
  if (error.level === 'client-authentication') return { failure: auth.failure(), retry: false };
  if (error.level === 'client-timeout')
    return unreachable(hop, `no answer while it should ${stage === 'login' ? 'log us in' : 'shake hands'}`);
  return unreachable(hop, error.message, !auth.refused());
}

const unreachable = (hop: Hop, reason: string, retry = true): ConnectionProblem => ({
  failure: {
    kind: 'connection',
    message: `Cannot reach ${hopName(hop)}: ${reason}`,
    next: 'Check ansibleServer.host and port, and that its sshd runs',
  },
  retry,
});
