import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer as createWebServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Folders on loopback: by git itself, which takes pushes, and by a web server that knows nothing of git. */
export interface GitServer {
  /** URL of `root`. */
  readonly git: string;
  /** URL of `root/git`. */
  readonly web: string;
  readonly stop: () => void;
}

export async function startGit(root: string): Promise<GitServer> {
  mkdirSync(join(root, 'git'), { recursive: true });
  const port = await freePort();
  const daemon = spawn('git', [
    ...['daemon', '--export-all', '--enable=receive-pack', '--reuseaddr', '--listen=127.0.0.1'],
    ...[`--port=${port}`, `--base-path=${root}`, root],
  ]);
  const web = createWebServer(({ url = '' }, response) => {
    const path = url.replace(/\?.*/, '').replace(/\/$/, '/index.html');
    readFile(join(root, 'git', path)).then(
      (data) =>
        response.writeHead(200, path.endsWith('.html') ? { 'content-type': 'text/html' } : {}).end(data),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  return {
    git: `git://127.0.0.1:${port}`,
    web: `http://127.0.0.1:${(web.address() as AddressInfo).port}`,
    stop: () => {
      daemon.kill();
      web.close();
    },
  };
}

/** One on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
