import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A real registry on loopback, without TLS; what it holds survives a stop. */
export interface Registry {
  /** Like `127.0.0.1:40123`. */
  readonly address: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Debian's `docker-registry` with its data in `folder`. */
export async function startRegistry(folder: string): Promise<Registry> {
  mkdirSync(folder, { recursive: true });
  const address = `127.0.0.1:${await freePort()}`;
  const file = join(folder, 'config.json');
  writeFileSync(
    file,
    JSON.stringify({
      version: 0.1,
      log: { level: 'error', accesslog: { disabled: true } },
      storage: { filesystem: { rootdirectory: join(folder, 'data') } },
      http: { addr: address },
    }),
  );
  let child: ChildProcess | undefined;
  const registry: Registry = {
    address,
    async start() {
      child = spawn('docker-registry', ['serve', file], { stdio: 'ignore' });
      const end = Date.now() + 60_000;
      while (Date.now() < end) {
        if (await isAnswering(address)) return;
        await pause(100);
      }
      throw new Error(`no registry answers at ${address}`);
    },
    async stop() {
      const running = child;
      if (running?.exitCode !== null || running.signalCode !== null) return;
      const ended = once(running, 'exit');
      running.kill('SIGTERM');
      await ended;
    },
  };
  await registry.start();
  return registry;
}

/** An OCI image layout of one empty layer in `folder`, with `text` in its configuration, so that its digest is its own. */
export function imageLayout(folder: string, text: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
  const blob = (data: Buffer | object, mediaType: string) => {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.from(JSON.stringify(data));
    const digest = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(folder, 'blobs/sha256', digest), bytes);
    return { mediaType, digest: `sha256:${digest}`, size: bytes.length };
  };
  // Two blocks of zeros are an empty archive.
  const layer = blob(Buffer.alloc(1024), 'application/vnd.oci.image.layer.v1.tar');
  const config = blob(
    {
      ...{ architecture: 'amd64', os: 'linux', config: { Labels: { text } } },
      rootfs: { type: 'layers', diff_ids: [layer.digest] },
    },
    'application/vnd.oci.image.config.v1+json',
  );
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = blob({ schemaVersion: 2, mediaType, config, layers: [layer] }, mediaType);
  const annotations = { 'org.opencontainers.image.ref.name': 'latest' };
  writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  writeFileSync(
    join(folder, 'index.json'),
    JSON.stringify({ schemaVersion: 2, manifests: [{ ...manifest, annotations }] }),
  );
  return folder;
}

const isAnswering = (address: string): Promise<boolean> =>
  fetch(`http://${address}/v2/`).then(
    ({ ok }) => ok,
    () => false,
  );

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};
