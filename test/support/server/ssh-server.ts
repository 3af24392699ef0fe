import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2, {
  type AuthContext,
  type Connection,
  type Server,
  type ServerChannel,
  type SFTPWrapper,
} from 'ssh2';
import type { SshEnvironment } from '../../../tasks/runtime/ssh/client-config.ts';

const { STATUS_CODE } = ssh2.utils.sftp;

/** What goes wrong, and when. A function answers for each connection or command, counted from 1. */
export interface Faults {
  /** Hang up as soon as somebody connects. */
  readonly refuse?: (connection: number) => boolean;
  /** Hang up instead of judging a login. */
  readonly login?: (login: number) => boolean;
  readonly exec?: (command: number) => 'run' | 'drop' | 'stall';
  readonly write?: 'disk-full' | 'drop' | 'stall';
  /** Of a file of a tebibyte: as many bytes as are asked for, none of them, or no answer. */
  readonly read?: 'endless' | 'empty' | 'stall';
  readonly sftp?: 'refuse';
}

export interface SshServerOptions {
  /** Methods and what they accept; left out: the key of the home folder. */
  readonly password?: string;
  readonly keyboard?: string;
  readonly faults?: Faults;
}

/** An SSH and SFTP server in this process, with real files and real programs, and faults where the test wants them. Close it. */
export interface FakeSshServer {
  readonly port: number;
  readonly around: SshEnvironment;
  readonly hostKey: string;
  /** What happened, in order: `connect`, `auth password`, `exec`, `sftp`. */
  readonly log: readonly string[];
  readonly close: () => Promise<void>;
}

/** Now and then ssh2 makes an Ed25519 key that it cannot read itself. */
function keyPair(): ReturnType<typeof ssh2.utils.generateKeyPairSync> {
  const pair = ssh2.utils.generateKeyPairSync('ed25519');
  return ssh2.utils.parseKey(pair.private) instanceof Error ? keyPair() : pair;
}

export async function startSshServer({
  password,
  keyboard,
  faults = {},
}: SshServerOptions = {}): Promise<FakeSshServer> {
  const host = keyPair();
  const user = keyPair();
  const log: string[] = [];
  const open = new Set<Connection>();
  let commands = 0;
  let logins = 0;
  const server: Server = new ssh2.Server({ hostKeys: [host.private] }, (client) => {
    open.add(client);
    log.push('connect');
    client.on('error', () => undefined);
    client.on('close', () => open.delete(client));
    client.on('authentication', (context) => {
      log.push(`auth ${context.method}`);
      logins += 1;
      if (faults.login?.(logins) === true) {
        destroy(client);
        return;
      }
      judge(context, {
        password,
        keyboard,
        key: password === undefined && keyboard === undefined ? user.public : '',
      });
    });
    client.on('session', (accept) => {
      const session = accept();
      session.on('exec', (acceptExec, _reject, { command }) => {
        commands += 1;
        log.push('exec');
        const fate = faults.exec?.(commands) ?? 'run';
        if (fate === 'drop') destroy(client);
        else if (fate === 'run') execute(acceptExec(), command);
        else acceptExec();
      });
      session.on('sftp', (acceptSftp, reject) => {
        log.push('sftp');
        if (faults.sftp === 'refuse') reject();
        else
          serveFiles(acceptSftp(), faults, () => {
            destroy(client);
          });
      });
    });
  });
  const raw = server as unknown as {
    _srv: { on(event: 'connection', listener: (socket: { destroy(): void }) => void): void };
  };
  let sockets = 0;
  raw._srv.on('connection', (socket) => {
    sockets += 1;
    if (faults.refuse?.(sockets) === true) {
      log.push('refuse');
      socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const home = mkdtempSync(join(tmpdir(), 'playsmith-home-'));
  mkdirSync(join(home, '.ssh'), { mode: 0o700 });
  writeFileSync(join(home, '.ssh', 'id_ed25519'), user.private, { mode: 0o600 });
  writeFileSync(join(home, '.ssh', 'known_hosts'), `[127.0.0.1]:${port} ${host.public}\n`);
  return {
    port,
    around: { home, user: 'ada', agent: '', folder: home },
    hostKey: host.public,
    log,
    close: async () => {
      for (const client of open) destroy(client);
      await new Promise((resolve) => server.close(resolve));
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function judge(
  context: AuthContext,
  { password, keyboard, key }: { password: string | undefined; keyboard: string | undefined; key: string },
): void {
  const methods: ('password' | 'keyboard-interactive' | 'publickey')[] = [
    ...(password === undefined ? [] : (['password'] as const)),
    ...(keyboard === undefined ? [] : (['keyboard-interactive'] as const)),
    ...(key === '' ? [] : (['publickey'] as const)),
  ];
  if (context.method === 'password' && context.password === password) context.accept();
  else if (context.method === 'keyboard-interactive' && keyboard !== undefined)
    context.prompt([{ prompt: 'Password: ', echo: false }], (answers) => {
      if (answers[0] === keyboard) context.accept();
      else context.reject(methods);
    });
  else if (context.method === 'publickey' && key !== '' && isKey(context.key.data, key)) context.accept();
  else context.reject(methods);
}

const isKey = (data: Buffer, key: string): boolean => data.toString('base64') === key.split(' ')[1];

const destroy = (client: Connection): void => {
  (client as unknown as { _sock: { destroy(): void } })._sock.destroy();
};

function execute(channel: ServerChannel, command: string): void {
  const child = spawn('/bin/sh', ['-c', command], { stdio: 'pipe' });
  child.stdin.on('error', () => undefined);
  channel.on('error', () => undefined);
  channel.pipe(child.stdin);
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });
  child.once('close', (status) => {
    if (!channel.writable) return;
    channel.exit(status ?? 1);
    channel.end();
  });
}

/** As much of SFTP as a push needs, on real files. */
function serveFiles(sftp: SFTPWrapper, { write: fault, read }: Faults, drop: () => void): void {
  const files = new Map<number, FileHandle>();
  let next = 0;
  sftp.on('close', () => {
    for (const file of files.values()) void file.close().catch(() => undefined);
  });
  for (const asked of ['STAT', 'LSTAT', 'FSTAT'] as const)
    sftp.on(asked, (id: number) => {
      sftp.attrs(id, { mode: 0o100600, uid: 0, gid: 0, size: 2 ** 40, atime: 0, mtime: 0 });
    });
  sftp.on('READ', (id, _handle, _offset, length) => {
    if (read !== 'stall') sftp.data(id, Buffer.alloc(read === 'empty' ? 0 : length));
  });
  sftp.on('OPEN', (id, path) => {
    open(read === undefined ? path : '/dev/null', 'w', 0o600).then(
      (file) => {
        files.set((next += 1), file);
        const handle = Buffer.alloc(4);
        handle.writeUInt32BE(next);
        sftp.handle(id, handle);
      },
      () => {
        sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
      },
    );
  });
  sftp.on('WRITE', (id, handle, offset, data) => {
    if (fault === 'drop') drop();
    else if (fault === 'disk-full') sftp.status(id, STATUS_CODE.FAILURE);
    else if (fault !== 'stall')
      void files
        .get(handle.readUInt32BE())
        ?.write(data, 0, data.length, offset)
        .then(() => {
          sftp.status(id, STATUS_CODE.OK);
        });
  });
  sftp.on('CLOSE', (id, handle) => {
    void files.get(handle.readUInt32BE())?.close();
    sftp.status(id, STATUS_CODE.OK);
  });
}
