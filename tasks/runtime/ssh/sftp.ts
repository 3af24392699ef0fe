// The one place that imports ssh2-sftp-client.
import SftpClient from 'ssh2-sftp-client';
import type { ConnectConfig, SshClient } from './ssh2.ts';

/** Files over a connection. */
export interface Sftp {
  /** Writes a file of its user alone. */
  readonly put: (bytes: Uint8Array, path: string) => Promise<unknown>;
  /** Copies a file of this machine, many pieces at once; its user alone may read it there. */
  readonly upload: (from: string, path: string) => Promise<unknown>;
  /** Copies a file to this machine, many pieces at once; one that is there keeps its mode. */
  readonly download: (path: string, to: string) => Promise<unknown>;
}

/** A connection that ssh2-sftp-client makes and owns; a login serves programs and files. */
export interface SftpConnection {
  /** Where programs are started beside the files. */
  readonly client: SshClient;
  readonly connect: (config: ConnectConfig) => void;
  readonly files: Sftp;
}

/** Files have their way as soon as the login is over: each waits for that, and fails where the server has no SFTP. */
export function sftpConnection(): SftpConnection {
  const silent = { error: () => undefined, end: () => undefined, close: () => undefined };
  const library = new SftpClient('playsmith', silent);
  // Read, never written: the library has no public way to it (decision 0024).
  const { client } = library as unknown as { readonly client: SshClient };
  let opened: Promise<unknown> = Promise.reject(new Error('not connected'));
  opened.catch(() => undefined);
  return {
    client,
    connect: (config) => {
      opened = library.connect(config);
      opened.catch(() => undefined);
    },
    files: {
      put: async (bytes, path) => {
        await opened;
        return library.put(Buffer.from(bytes), path, { writeStreamOptions: { mode: 0o600 } });
      },
      upload: async (from, path) => {
        await opened;
        return library.fastPut(from, path, { mode: 0o600 });
      },
      download: async (path, to) => {
        await opened;
        return library.fastGet(path, to);
      },
    },
  };
}
