// The one place that imports ssh2-sftp-client.
import SftpClient from 'ssh2-sftp-client';
import type { SFTPWrapper, SshClient } from './ssh2.ts';

export interface Sftp {
  /** Writes a file of its user alone. */
  readonly put: (bytes: Uint8Array, path: string) => Promise<void>;
  /** Copies a file of this machine, many pieces at once; its user alone may read it there. */
  readonly upload: (from: string, path: string) => Promise<void>;
  /** Copies a file to this machine; one that is there keeps its mode. */
  readonly download: (path: string, to: string) => Promise<void>;
}

/** SFTP over a connection that is there already: one login serves programs and files. */
export async function openSftp(connection: SshClient): Promise<Sftp> {
  const silent = { error: () => undefined, end: () => undefined, close: () => undefined };
  const client = new SftpClient('playsmith', silent);
  const channel = await promised<SFTPWrapper>((done) => {
    connection.sftp(done);
  });
  // The library makes a connection of its own and offers no way to share one; its two fields hold all that it needs.
  Object.assign(client, { client: connection, sftp: channel });
  return {
    upload: (from, path) =>
      finished((done) => {
        channel.fastPut(from, path, { mode: 0o600 }, done);
      }),
    download: (path, to) =>
      finished((done) => {
        channel.fastGet(path, to, done);
      }),
    put: async (bytes, path) => {
      // Opened here with the mode: the library would open, then change the mode, and wait for each.
      const handle = await promised<Buffer>((done) => {
        channel.open(path, 'w', { mode: 0o600 }, done);
      });
      await client.put(Buffer.from(bytes), path, { writeStreamOptions: { handle } as never });
    },
  };
}

const promised = <Value>(
  start: (done: (error: Error | undefined | null, value: Value) => void) => void,
): Promise<Value> =>
  new Promise((resolve, reject) => {
    start((error, value) => {
      if (error) reject(error);
      else resolve(value);
    });
  });

/** The library's copies end with an error or with nothing. */
const finished = (start: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    start((error) => {
      if (error) reject(error);
      else resolve();
    });
  });
