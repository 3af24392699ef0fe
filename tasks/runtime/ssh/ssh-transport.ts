import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../failures.ts';
import {
  endOf,
  type ProgramEnding,
  type PutProblem,
  type RemoteProcess,
  type Transport,
} from '../transport.ts';
import type { Sftp, SftpConnection } from './sftp.ts';
import type { ClientChannel, SshClient } from './ssh2.ts';

/** An open connection as a way to the server: programs and files share it. `before` are the hops that carry it. */
export function sshTransport(
  name: string,
  { client: connection, files }: SftpConnection,
  before: readonly SshClient[],
): Transport {
  const isLost = watch(connection);
  const lost = (): Failure => ({
    kind: 'connection',
    message: `The connection to ${name} was lost`,
    next: 'Check the network; a run goes on without us, and `npx task attach` follows it again',
  });
  const tried = async (work: ReturnType<Sftp['put']>): Promise<Result<void, PutProblem>> => {
    try {
      await work;
      return ok(undefined);
    } catch (error) {
      return failed(isLost() ? { lost: lost() } : { reason: (error as Error).message });
    }
  };
  return {
    name,
    spawn: (line) =>
      start(connection, line, { isLost, lost, unopened: (reason) => connectionFailure(name, reason) }),
    put: (bytes, path) => tried(files.put(bytes, path)),
    upload: (from, path) => tried(files.upload(from, path)),
    download: (path, to) => tried(files.download(path, to)),
    isLost,
    close: () => close(isLost() ? before : [connection, ...before]),
  };
}

/** Whatever comes first: a file that was on its way fails with the first of them. */
function watch(connection: SshClient): () => boolean {
  let isLost = false;
  const lose = (error?: { readonly level?: string }): void => {
    isLost ||= error?.level !== 'agent';
  };
  connection.once('close', lose).once('end', lose).on('error', lose);
  return () => isLost;
}

interface ConnectionLoss {
  readonly isLost: () => boolean;
  readonly lost: () => Failure;
  readonly unopened: (reason: string) => Failure;
}

/** The connection stands, and the server refuses one more program on it. */
const connectionFailure = (name: string, reason: string): Failure => ({
  kind: 'server',
  message: `${name} lets us in, and opens no session for a program`,
  evidence: reason,
  next: 'Set MaxSessions in its sshd_config to 10, which is the default: a connection carries files and programs',
});

function start(
  connection: SshClient,
  line: string,
  { isLost, lost, unopened: refused }: ConnectionLoss,
): Promise<Result<RemoteProcess, Failure>> {
  if (isLost()) return Promise.resolve(failed(lost()));
  return new Promise((resolve) => {
    try {
      connection.exec(line, (error, channel) => {
        resolve(error ? failed(isLost() ? lost() : refused(error.message)) : ok(processOf(channel, lost)));
      });
    } catch {
      resolve(failed(lost()));
    }
  });
}

/** A channel that closes without saying how the program ended was cut off. */
function processOf(channel: ClientChannel, lost: () => Failure): RemoteProcess {
  const errors = endOf(channel.stderr);
  let exit: { readonly status: number | null } | undefined;
  channel.on('error', () => undefined);
  channel.once('exit', (status: number | null) => {
    exit = { status };
  });
  const ended = new Promise<Result<ProgramEnding, Failure>>((resolve) => {
    channel.once('close', () => {
      resolve(exit ? ok({ status: exit.status, stderr: errors() }) : failed(lost()));
    });
  });
  return {
    stdin: channel,
    stdout: channel,
    ended,
    stop: () => {
      channel.destroy();
    },
  };
}

async function close(connections: readonly SshClient[]): Promise<void> {
  for (const connection of connections) {
    const closed = new Promise<void>((resolve) => {
      connection.once('close', () => {
        resolve();
      });
      setTimeout(resolve, 1000).unref();
    });
    connection.end();
    await closed;
  }
}
