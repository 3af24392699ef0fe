// The one place that imports ssh2-sftp-client.
import SftpClient from 'ssh2-sftp-client';
import type { SshClient } from './ssh2.ts';

export type Sftp = Pick<SftpClient, 'put'>;

/** SFTP over a connection that is there already: one login serves programs and files. */
export async function openSftp(connection: SshClient): Promise<Sftp> {
  const silent = { error: () => undefined, end: () => undefined, close: () => undefined };
  const client = new SftpClient('playsmith', silent);
  // The library makes a connection of its own and offers no way to share one; its two fields hold all that it needs.
  const inner = client as unknown as { client: SshClient; sftp: unknown };
  inner.client = connection;
  inner.sftp = await new Promise((resolve, reject) => {
    connection.sftp((error, wrapper) => {
      if (error) reject(error);
      else resolve(wrapper);
    });
  });
  return client;
}
