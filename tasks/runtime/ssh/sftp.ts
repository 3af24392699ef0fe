// The one place that imports ssh2-sftp-client.
import SftpClient from 'ssh2-sftp-client';
import type { ConnectConfig, SshClient } from './ssh2.ts';

/** Files over a connection. */
export interface Sftp {
  /** Writes a file of its user alone. */
  readonly put: (bytes: Uint8Array, path: string) => Promise<unknown>;
  /** Copies a file of this machine, many pieces at once; its user alone may read it there. */
  readonly upload: (from: string, path: string) => Promise<unknown>;
  /** Copies a file to this machine, many pieces at once; one that is there keeps its mode. Not more than `most` bytes. */
  readonly download: (path: string, copy: { readonly to: string; readonly most: number }) => Promise<unknown>;
}

/** A connection that ssh2-sftp-client makes and owns; a login serves programs and files. */
export interface SftpConnection {
  /** Where programs are started beside the files. */
  readonly client: SshClient;
  readonly connect: (config: ConnectConfig) => void;
  readonly files: Sftp;
}

/** What a server may take for its next piece of a file, in milliseconds. */
const patience = 60_000;

/**
 * Files have their way as soon as the login is over: each waits for that, and fails where the server has no SFTP. A server that keeps us
 * waiting, or gives more than we want, loses the connection.
 */
export function sftpConnection(wait = patience): SftpConnection {
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
        const watch = watchOf(client, wait + bytes.length / slowest, 'not all of it was taken');
        return watch.over(library.put(Buffer.from(bytes), path, { writeStreamOptions: { mode: 0o600 } }));
      },
      upload: async (from, path) => {
        await opened;
        const { over, seen } = watchOf(client, wait, 'nothing of it was taken');
        return over(library.fastPut(from, path, { mode: 0o600, step: seen }));
      },
      download: async (path, { to, most }) => {
        await opened;
        const { over, seen, end } = watchOf(client, wait, 'nothing of it came');
        const step = (total: number, more: number): void => {
          if (total > most) end(`it is larger than ${most} bytes`);
          else if (more > 0) seen();
        };
        return over(library.fastGet(path, to, { step }));
      },
    },
  };
}

/** Bytes in a millisecond that the slowest line carries: 10 kB in a second. */
const slowest = 10;

interface Watch {
  /** The work, or why it was ended; then the connection is as well. */
  readonly over: <T>(work: Promise<T>) => Promise<T>;
  readonly seen: () => void;
  readonly end: (reason: string) => void;
}

/** Ends a connection on which nothing was seen for that many milliseconds. */
function watchOf(client: SshClient, milliseconds: number, reason: string): Watch {
  const ended = new AbortController();
  const end = (why: string): void => {
    ended.abort(new Error(why));
    client.destroy();
  };
  const timer = setTimeout(end, milliseconds, `${reason} within ${Math.ceil(milliseconds / 1000)} s`);
  const early = new Promise<never>((_, reject) => {
    ended.signal.addEventListener('abort', () => {
      reject(ended.signal.reason as Error);
    });
  });
  return {
    over: async (work) => {
      try {
        return await Promise.race([work, early]);
      } finally {
        clearTimeout(timer);
      }
    },
    seen: () => timer.refresh(),
    end,
  };
}
