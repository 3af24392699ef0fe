import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SshEnvironment } from '../../../tasks/runtime/ssh/client-config.ts';

const run = promisify(execFile);

/** A real sshd on loopback with keys of its own, as the user who runs the tests. Close it. */
export interface Sshd {
  readonly port: number;
  readonly folder: string;
  /** A home folder whose key the server accepts, and whose known_hosts knows the server. */
  readonly around: SshEnvironment;
  readonly privateKey: string;
  readonly hostKey: string;
  readonly fingerprint: string;
  /** Cuts every connection; the listener stays. */
  readonly dropConnections: () => Promise<void>;
  readonly close: () => void;
}

/** `extra` lines of sshd_config go before ours, and win. */
export async function startSshd(extra: readonly string[] = []): Promise<Sshd> {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-sshd-'));
  const home = join(folder, 'home');
  mkdirSync(join(home, '.ssh'), { recursive: true, mode: 0o700 });
  mkdirSync('/run/sshd', { recursive: true });
  await Promise.all([keygen(join(folder, 'host')), keygen(join(home, '.ssh', 'id_ed25519'))]);
  const port = await freePort();
  writeFileSync(join(folder, 'authorized_keys'), readFileSync(join(home, '.ssh', 'id_ed25519.pub')), {
    mode: 0o600,
  });
  writeFileSync(join(folder, 'config'), [...extra, ...settings(folder, port)].join('\n') + '\n');
  const hostKey = readFileSync(join(folder, 'host.pub'), 'utf8').split(' ').slice(0, 2).join(' ');
  writeFileSync(join(home, '.ssh', 'known_hosts'), `[127.0.0.1]:${port} ${hostKey}\n`);
  const child = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(folder, 'config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await listening(child, port);
  const { stdout } = await run('ssh-keygen', ['-lf', join(folder, 'host.pub')]);
  return {
    port,
    folder,
    around: { home, user: userInfo().username, agent: '' },
    privateKey: join(home, '.ssh', 'id_ed25519'),
    hostKey,
    fingerprint: stdout.split(' ')[1] ?? '',
    dropConnections: () => killChildren(child),
    close: () => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const settings = (folder: string, port: number): string[] => [
  `Port ${port}`,
  'ListenAddress 127.0.0.1',
  `HostKey ${join(folder, 'host')}`,
  `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
  `PidFile ${join(folder, 'pid')}`,
  'StrictModes no',
  'UsePAM no',
  'PasswordAuthentication no',
  'KbdInteractiveAuthentication no',
  'PermitRootLogin yes',
  'MaxStartups 100',
  'Subsystem sftp internal-sftp',
];

const keygen = (path: string): Promise<unknown> =>
  run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path]);

/** A port that nothing listens on a moment ago. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });

async function listening(child: ChildProcess, port: number): Promise<void> {
  let said = '';
  child.stderr?.setEncoding('utf8');
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => {
      reject(new Error(`sshd ended: ${said}`));
    });
    child.stderr?.on('data', (text: string) => {
      said += text;
      if (said.includes(`Server listening on 127.0.0.1 port ${port}`)) resolve();
    });
  });
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
  });
}

/** sshd's processes for connections, and the programs in them that would notice too late. */
async function killChildren(child: ChildProcess): Promise<void> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', `${child.pid ?? 0}`]).catch(() => ({
    stdout: '',
  }));
  for (const pid of stdout.split(/\s+/).filter((word) => word !== '')) process.kill(Number(pid), 'SIGKILL');
}
