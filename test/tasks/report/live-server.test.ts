import { execFileSync } from 'node:child_process';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { serve, type LiveServer, type ServedAt } from '../../../tasks/report/live-server.ts';

const open: LiveServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.end('{}')));
});

async function served(over: Partial<ServedAt> = {}): Promise<LiveServer> {
  const made = await serve({
    ...{ host: '127.0.0.1', port: 0, html: () => Promise.resolve('<p>a page</p>'), current: () => '{}' },
    ...over,
  });
  if (!made.ok) throw new Error(made.failure.message);
  open.push(made.value);
  return made.value;
}

interface Answer {
  readonly status: number;
  readonly cookie: string;
  readonly body: string;
}

const ask = (url: string, headers: Record<string, string> = {}, ca?: Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? secure : plain;
    const sent = send(url, { headers, agent: false, ...(ca && { ca }) }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          cookie: response.headers['set-cookie']?.[0] ?? '',
          body,
        });
      });
    });
    sent.on('error', reject).end();
  });

/** Bytes as they are, and what came back until the other end closed. */
const raw = (url: string, bytes: Buffer): Promise<string> =>
  new Promise((resolve) => {
    let answer = '';
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
    socket.on('data', (piece) => (answer += piece.toString('latin1')));
    socket
      .on('error', () => undefined)
      .on('close', () => {
        resolve(answer);
      });
    socket.write(bytes);
  });

const pathOf = (url: string, path: string): string => new URL(path, url).href;

async function admitted(server: LiveServer, ca?: Buffer): Promise<Record<string, string>> {
  const { cookie } = await ask(server.url, {}, ca);
  return { cookie: cookie.slice(0, cookie.indexOf(';')) };
}

describe('the live page', () => {
  test('goes on after a cookie or a path of bytes that are no ASCII, whatever their number', async () => {
    const server = await served();
    const { host, port } = new URL(server.url);
    for (const length of [1, 16, 31, 32, 33, 64]) {
      const odd = Buffer.alloc(length, 0xe9);
      const cookie = Buffer.concat([
        Buffer.from(
          `GET /live/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nCookie: playsmith-${port}=`,
        ),
        odd,
        Buffer.from('\r\n\r\n'),
      ]);
      expect(await raw(server.url, cookie)).toMatch(/^HTTP\/1.1 403 /);
      const path = Buffer.concat([
        Buffer.from('GET /'),
        odd,
        Buffer.from(` HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      ]);
      expect(await raw(server.url, path)).toMatch(/^HTTP\/1.1 40[03] /);
    }
    expect((await ask(server.url)).status).toBe(303);
  });

  test('that cannot be drawn says so, and is drawn when it can be again', async () => {
    let isBroken = true;
    const server = await served({
      html: () => (isBroken ? Promise.reject(new Error('no such part')) : Promise.resolve('drawn')),
      current: () => {
        if (isBroken) throw new Error('no such report');
        return '{}';
      },
    });
    const known = await admitted(server);
    expect((await ask(pathOf(server.url, '/live/'), known)).status).toBe(500);
    expect((await ask(pathOf(server.url, '/live/events'), known)).status).toBe(500);
    isBroken = false;
    expect(await ask(pathOf(server.url, '/live/'), known)).toMatchObject({ status: 200, body: 'drawn' });
  });

  test('keeps no backlog for a reader who takes nothing', async () => {
    const server = await served();
    const { cookie } = await admitted(server);
    const { host, port } = new URL(server.url);
    const socket = connect({ host: '127.0.0.1', port: Number(port) });
    let taken = 0;
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.pause();
    socket.write(`GET /live/events HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie ?? ''}\r\n\r\n`);
    await expect.poll(() => server.listeners()).toBe(1);
    for (let count = 0; count < 100; count += 1) {
      server.push('x'.repeat(1 << 20));
      await new Promise(setImmediate);
    }
    socket.on('data', (piece) => (taken += piece.length)).on('error', () => undefined);
    socket.resume();
    await server.end('{"last":true}');
    await closed;
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(20 << 20);
  });
});

describe('a page beyond loopback', () => {
  test.each(['0.0.0.0', '::', '192.0.2.7', '2001:db8::7'])(
    'is not served on %s without a certificate',
    async (host) => {
      const made = await serve({
        ...{ host, port: 0, html: () => Promise.resolve(''), current: () => '{}' },
      });
      expect(made).toMatchObject({ ok: false, failure: { kind: 'usage' } });
      expect(made.ok ? '' : made.failure.message).toContain('--web-cert');
    },
  );

  test('is served with one over TLS alone, its cookie too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'playsmith-live-'));
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const made = [
      '-subj',
      '/CN=page',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-keyout',
      key,
      '-out',
      cert,
    ];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...made], {
      stdio: 'ignore',
    });
    const tls = { cert: await readFile(cert), key: await readFile(key) };
    const server = await served({ tls });
    expect(server.url).toMatch(/^https:/);
    const first = await ask(server.url, {}, tls.cert);
    expect(first).toMatchObject({ status: 303 });
    expect(first.cookie).toContain('; Secure');
    const cookie = first.cookie.slice(0, first.cookie.indexOf(';'));
    expect((await ask(pathOf(server.url, '/live/'), { cookie }, tls.cert)).status).toBe(200);
    await expect(ask(server.url.replace('https:', 'http:'))).rejects.toThrow();
    await rm(folder, { recursive: true });
  });

  test('with a certificate that is none is one clear failure', async () => {
    const made = await serve({
      ...{ host: '127.0.0.1', port: 0, html: () => Promise.resolve(''), current: () => '{}' },
      tls: { cert: Buffer.from('x'), key: Buffer.from('x') },
    });
    expect(made).toMatchObject({ ok: false, failure: { kind: 'usage' } });
  });
});
