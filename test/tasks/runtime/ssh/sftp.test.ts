import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sftpConnection, type SftpConnection } from '../../../../tasks/runtime/ssh/sftp.ts';
import { startSshServer, type FakeSshServer, type Faults } from '../../../support/server/ssh-server.ts';

const mebibyte = 2 ** 20;
let here: string;
let open: { readonly server: FakeSshServer; readonly connection: SftpConnection } | undefined;

beforeEach(() => {
  here = mkdtempSync(join(tmpdir(), 'playsmith-sftp-'));
});

afterEach(async () => {
  open?.connection.client.destroy();
  await open?.server.close();
  rmSync(here, { recursive: true, force: true });
});

/** Files over a connection to a server with that fault, which is waited for no longer than so many milliseconds. */
async function filesOf(faults: Faults, patience = 300): Promise<SftpConnection['files']> {
  const server = await startSshServer({ faults });
  const connection = sftpConnection(patience);
  open = { server, connection };
  connection.client.on('error', () => undefined);
  connection.connect({
    ...{ host: '127.0.0.1', port: server.port, username: 'ada', hostVerifier: () => true },
    privateKey: readFileSync(join(server.around.home, '.ssh', 'id_ed25519')),
  });
  return connection.files;
}

describe('a server that lies about a file', () => {
  test.each([
    // What comes on and on is ended by its size, however slow this machine is.
    ['gives more than it may have', 'endless', 20_000, /larger than 1048576 bytes/],
    ['gives nothing again and again', 'empty', 300, /nothing of it came/],
    ['gives no answer', 'stall', 300, /nothing of it came/],
  ] as const)('and %s ends the copy', async (_, read, patience, expected) => {
    const files = await filesOf({ read }, patience);
    const copy = join(here, 'copy');
    await expect(files.download('/any', { to: copy, most: mebibyte })).rejects.toThrow(expected);
    // A busy machine may not have come to open it.
    expect(existsSync(copy) ? statSync(copy).size : 0).toBeLessThan(4 * mebibyte);
  });

  test('and takes none is not waited for', async () => {
    const files = await filesOf({ write: 'stall' });
    const file = join(here, 'file');
    writeFileSync(file, 'x'.repeat(100));
    await expect(files.put(readFileSync(file), join(here, 'put'))).rejects.toThrow(/not all of it was taken/);
    const others = await filesOf({ write: 'stall' });
    await expect(others.upload(file, join(here, 'upload'))).rejects.toThrow(/nothing of it was taken/);
  });
});
