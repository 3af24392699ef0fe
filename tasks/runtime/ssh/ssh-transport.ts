import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../failures.ts';
import type { Ending, PutProblem, RemoteProcess, Transport } from '../transport.ts';
import { openSftp, type Sftp } from './sftp.ts';
import type { ClientChannel, SshClient } from './ssh2.ts';

/** An open connection as a way to the server: programs and files share it. `before` are the hops that carry it. */
export function sshTransport(name: string, connection: SshClient, before: readonly SshClient[]): Transport {
  let sftp: Promise<Sftp> | undefined;
  const isLost = watch(connection);
  const lost = (): Failure => ({
    kind: 'connection',
    message: `The connection to ${name} was lost`,
    next: 'Check the network; a run goes on without us, and `npx task attach` follows it again',
  });
  const preparePut = (): void => {
    sftp ??= openSftp(connection);
    sftp.catch(() => undefined);
  };
  const withSftp = async (work: (files: Sftp) => Promise<void>): Promise<Result<void, PutProblem>> => {
    preparePut();
    try {
      if (sftp) await work(await sftp);
      return ok(undefined);
    } catch (error) {
      return failed(isLost() ? { lost: lost() } : { reason: (error as Error).message });
    }
  };
  return {
    name,
    spawn: (line) => start(connection, line, { isLost, lost }),
    preparePut,
    put: (bytes, path) => withSftp((files) => files.put(bytes, path)),
    upload: (from, path) => withSftp((files) => files.upload(from, path)),
    download: (path, to) => withSftp((files) => files.download(path, to)),
    close: () => close(isLost() ? before : [connection, ...before]),
  };
}

function watch(connection: SshClient): () => boolean {
  let isLost = false;
  connection.once('close', () => {
    isLost = true;
  });
  return () => isLost;
}

interface Loss {
  readonly isLost: () => boolean;
  readonly lost: () => Failure;
}

function start(
  connection: SshClient,
  line: string,
  { isLost, lost }: Loss,
): Promise<Result<RemoteProcess, Failure>> {
  if (isLost()) return Promise.resolve(failed(lost()));
  return new Promise((resolve) => {
    try {
      connection.exec(line, (error, channel) => {
        resolve(error ? failed(lost()) : ok(processOf(channel, lost)));
      });
    } catch {
      resolve(failed(lost()));
    }
  });
}

/** A channel that closes without saying how the program ended was cut off. */
function processOf(channel: ClientChannel, lost: () => Failure): RemoteProcess {
  const errors: Buffer[] = [];
  let exit: { readonly status: number | null } | undefined;
  channel.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  channel.on('error', () => undefined);
  channel.once('exit', (status: number | null) => {
    exit = { status };
  });
  const ended = new Promise<Result<Ending, Failure>>((resolve) => {
    channel.once('close', () => {
      const stderr = Buffer.concat(errors).toString('utf8');
      resolve(exit ? ok({ status: exit.status, stderr }) : failed(lost()));
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
