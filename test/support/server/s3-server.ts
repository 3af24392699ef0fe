import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { packageRoot } from '../../../tasks/runtime/package.ts';
import { freePort } from './sshd.ts';

const sources = join(import.meta.dirname, '../../fixtures/s3-server');

/** The program of Versity's S3 gateway, built from its Go modules; made once for each go.sum. */
export function s3Program(): string {
  const sum = createHash('sha256')
    .update(readFileSync(join(sources, 'go.sum')))
    .digest('hex')
    .slice(0, 12);
  const folder = join(packageRoot, 'node_modules/.cache', `playsmith-s3-${sum}`);
  const made = join(folder, 'versitygw');
  if (existsSync(made)) return made;
  rmSync(folder, { recursive: true, force: true });
  cpSync(sources, folder, { recursive: true });
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -trimpath' };
  const words = ['build', '-ldflags', '-s -w', '-o', 'made', 'github.com/versity/versitygw/cmd/versitygw'];
  execFileSync('go', words, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('mv', [join(folder, 'made'), made]);
  return made;
}

/** A real S3 server on loopback, over TLS, with one bucket. Close it. */
export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  /** Where the objects of the bucket lie as files, by their keys. */
  readonly files: string;
  /** The certificate of its authority. */
  readonly ca: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly close: () => void;
}

export async function startS3(): Promise<S3Server> {
  const program = s3Program();
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-s3-'));
  const files = join(folder, 'objects/etcd');
  mkdirSync(files, { recursive: true });
  mkdirSync(join(folder, 'about'));
  certify(folder);
  const port = await freePort();
  const keys = { accessKeyId: 'AKIAPLAYSMITH', secretAccessKey: 'sesame/open+the/cave=' };
  const words = [
    ...['--port', `127.0.0.1:${port}`, '--quiet'],
    ...['--cert', join(folder, 'cert.pem'), '--key', join(folder, 'key.pem')],
    ...['posix', '--sidecar', join(folder, 'about'), join(folder, 'objects')],
  ];
  const env = { ...process.env, ROOT_ACCESS_KEY: keys.accessKeyId, ROOT_SECRET_KEY: keys.secretAccessKey };
  const server = spawn(program, words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  await listening(server, port);
  return {
    ...keys,
    endpoint: `https://127.0.0.1:${port}`,
    bucket: 'etcd',
    files,
    ca: join(folder, 'cert.pem'),
    close: () => {
      server.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A certificate that vouches for itself. */
export function certify(folder: string, address = '127.0.0.1'): void {
  const words = [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=s3.playsmith.test', '-addext', `subjectAltName=IP:${address}`],
    ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')],
  ];
  execFileSync('openssl', words, { stdio: 'ignore' });
}

const listening = (server: ChildProcess, port: number): Promise<void> =>
  vi.waitFor(
    () =>
      new Promise<void>((resolve, reject) => {
        if (server.exitCode !== null) reject(new Error(`the S3 server ended with ${server.exitCode}`));
        const socket = connect(port, '127.0.0.1', () => {
          socket.destroy();
          resolve();
        });
        socket.once('error', reject);
      }),
    { timeout: 30_000, interval: 100 },
  );
