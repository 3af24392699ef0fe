import { createHmac } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MessageReceiver, RunMessages } from '../../../tasks/runtime/agent/message-requests.ts';
import type { Server } from '../../../tasks/runtime/server.ts';
import { push } from '../../../tasks/steps/bundle/push.ts';
import { runStatus } from '../../../tasks/steps/run/runs.ts';
import { start, type StartedRun } from '../../../tasks/steps/run/start.ts';
import { bundleOf, localHost } from '../../support/definitions/bundles.ts';
import { contents, locally, meta, serverFolder, value, watch } from '../../support/server/ansible-server.ts';

let directory: string;
let server: Server;
beforeEach(async () => {
  directory = serverFolder();
  server = await locally(directory);
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const play = (...tasks: readonly object[]): string =>
  JSON.stringify([{ name: 'Play', hosts: 'all', gather_facts: false, tasks }]);
const hostile = 'no <!channel> & [link](http://evil)\n\u001b[2J*';
const bundle = bundleOf({
  'ansible.cfg': '[defaults]\ninventory = inventory\n',
  'inventory/hosts.yml': JSON.stringify({ all: { hosts: { one: localHost } } }),
  'good.yml': play({ name: 'Say', 'ansible.builtin.debug': { msg: 'hello' }, changed_when: true }),
  'bad.yml': play({ name: 'Fail', 'ansible.builtin.fail': { msg: hostile } }),
});

interface Taken {
  readonly request: IncomingMessage;
  readonly body: string;
}

/** A real receiver on loopback; `answer` is what it does once it has read a message. */
async function receiver(answer: (response: ServerResponse) => void = (response) => response.end()) {
  const taken: Taken[] = [];
  const listening = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      taken.push({ request, body });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  return {
    taken,
    url: `http://127.0.0.1:${port}/canary-of-an-address?to=ops`,
    close: () => {
      listening.closeAllConnections();
      listening.close();
    },
  };
}

const told = (
  kind: MessageReceiver['kind'],
  values: Readonly<Record<string, string>>,
  on: MessageReceiver['on'] = ['failed', 'successful', 'drifted'],
): RunMessages => ({
  drift: false,
  receivers: [
    {
      ...{ name: 'ops', kind, on, to: ['ops@example.org'], from: 'playsmith@example.org' },
      secrets: Object.fromEntries(
        Object.keys(values).map((key) => [key, `message_ops_${key.toLowerCase()}`]),
      ),
    },
  ],
  values: Object.fromEntries(
    Object.entries(values).map(([key, each]) => [`message_ops_${key.toLowerCase()}`, each]),
  ),
});

async function begin(playbook: string, messages: RunMessages, check = false): Promise<StartedRun> {
  value(await push(server, bundle));
  return value(
    await start(server, { bundle, playbook, options: { check }, secrets: new Map(), meta, messages }),
  );
}
async function run(playbook: string, messages: RunMessages, check = false): Promise<string> {
  const started = await begin(playbook, messages, check);
  await watch(server, started.run);
  return started.run;
}
const noted = async (name: string): Promise<unknown> => {
  const file = join(directory, 'runs', 'try', name, 'messages.json');
  await expect.poll(() => existsSync(file), { timeout: 60_000, interval: 200 }).toBe(true);
  return JSON.parse(readFileSync(file, 'utf8'));
};

describe('a webhook', () => {
  test('is sent the end of a run as JSON, which it knows by its signature; its address lies in no file', async () => {
    const desk = await receiver();
    const key = 'canary-of-a-key';
    const name = await run('good.yml', told('webhook', { webhookUrl: desk.url, signingKey: key }));
    expect(await noted(name)).toEqual([{ name: 'ops', reason: '' }]);
    const [message] = desk.taken;
    const { headers, method, url } = message?.request ?? {};
    expect([method, url]).toEqual(['POST', '/canary-of-an-address?to=ops']);
    const signed = createHmac('sha256', key)
      .update(`${String(headers?.['x-playsmith-timestamp'])}.${message?.body ?? ''}`)
      .digest('hex');
    expect(headers?.['x-playsmith-signature']).toBe(`sha256=${signed}`);
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      ...{ version: 1, cluster: 'try', run: name, playbook: 'good.yml', result: 'successful', hosts: 1 },
      operator: meta.operator,
    });
    expect([...contents(directory).values()].join('')).not.toContain('canary-of');
    desk.close();
  });

  test('is sent nothing that it did not ask for', async () => {
    const desk = await receiver();
    await run('good.yml', told('webhook', { webhookUrl: desk.url }, ['failed']));
    await run('bad.yml', told('webhook', { webhookUrl: desk.url }, ['failed']));
    await expect.poll(() => desk.taken.length, { timeout: 30_000 }).toBe(1);
    expect(JSON.parse(desk.taken[0]?.body ?? '')).toMatchObject({
      result: 'failed',
      failures: [{ host: 'one', task: 'Fail', message: 'no <!channel> & [link](http://evil) [2J*' }],
    });
    desk.close();
  });

  test('hears of hosts that differ', async () => {
    const desk = await receiver();
    await run('good.yml', { ...told('webhook', { webhookUrl: desk.url }, ['drifted']), drift: true }, true);
    await expect.poll(() => desk.taken.length, { timeout: 30_000 }).toBe(1);
    expect(JSON.parse(desk.taken[0]?.body ?? '')).toMatchObject({ result: 'drifted', differing: ['one'] });
    desk.close();
  });
});

test.each([
  [
    'slack',
    (body: object) => {
      expect(body).toMatchObject({
        text: expect.stringContaining('no &lt;!channel&gt; &amp; [link]') as string,
      });
    },
  ],
  [
    'matrix',
    (body: object) => {
      expect(body).toEqual({
        msgtype: 'm.notice',
        body: expect.stringContaining('try: bad failed\n') as string,
      });
    },
  ],
  [
    'teams',
    (body: object) => {
      expect(JSON.stringify(body)).toContain('"type":"TextRun","text":"one, Fail: no <!channel>');
    },
  ],
] as const)('%s gets what it reads, in which words of hosts are no markup', async (kind, holds) => {
  const desk = await receiver();
  const name = await run(
    'bad.yml',
    told(kind, { webhookUrl: desk.url, ...(kind === 'matrix' ? { accessToken: 'token-1' } : {}) }),
  );
  expect(await noted(name)).toEqual([{ name: 'ops', reason: '' }]);
  holds(JSON.parse(desk.taken[0]?.body ?? '') as object);
  if (kind === 'matrix') {
    expect(desk.taken[0]?.request.method).toBe('PUT');
    expect(desk.taken[0]?.request.headers.authorization).toBe('Bearer token-1');
    expect(desk.taken[0]?.request.url).toMatch(/^\/canary-of-an-address\/[0-9a-f]{32}\?to=ops$/);
  }
  desk.close();
});

test('a receiver of traces gets spans of the run, its plays, its tasks and their hosts, with its own headers', async () => {
  const desk = await receiver();
  const endpoint = new URL('/base/', desk.url).href;
  const name = await run('bad.yml', told('opentelemetry', { endpoint, headers: 'x-key=a%20b,x-other=c' }));
  expect(await noted(name)).toEqual([{ name: 'ops', reason: '' }]);
  const [{ request, body } = {}] = desk.taken;
  expect([request?.method, request?.url]).toEqual(['POST', '/base/v1/traces']);
  expect(request?.headers).toMatchObject({ 'x-key': 'a b', 'x-other': 'c' });
  const spans = spansIn(body ?? '');
  expect(spans.map((span) => span.name).toSorted()).toEqual([
    'host: one',
    'play: Play',
    'run: bad.yml',
    'task: Fail',
  ]);
  const by = (word: string) => spans.find((span) => span.name.startsWith(`${word}:`));
  const path = ['host', 'task', 'play', 'run'].map((word) => by(word)?.spanId);
  expect(['host', 'task', 'play'].map((word) => by(word)?.parentSpanId)).toEqual(path.slice(1));
  expect(by('host')?.status).toEqual({ code: 2, message: 'no <!channel> & [link](http://evil) [2J*' });
  for (const span of spans) {
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(span.status.code).toBe(2);
    const [start, end] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)];
    expect(end >= start && start >= BigInt(by('run')?.startTimeUnixNano ?? 0)).toBe(true);
    expect(Math.abs(Number(end / 1_000_000n) - Date.now())).toBeLessThan(120_000);
  }
  desk.close();
});

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number; readonly message?: string };
}

const spansIn = (body: string): readonly Span[] => {
  const { resourceSpans } = JSON.parse(body) as {
    readonly resourceSpans: readonly {
      readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
    }[];
  };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
};

describe('a receiver that does harm', () => {
  const endless = (response: ServerResponse): void => {
    response.writeHead(200);
    const more = (): void => {
      while (response.write('x'.repeat(1 << 16)));
      response.once('drain', more);
    };
    more();
  };
  const slow = (response: ServerResponse): void => {
    const { socket } = response;
    socket?.write('HTTP/1.1 200 OK\r\n');
    setInterval(() => socket?.write('X-More: x\r\n'), 1000).unref();
  };

  test.each([
    [
      'never answers',
      () => undefined,
      /did not take the message within 20 seconds|cannot be reached: TimeoutError/,
    ],
    ['answers without an end', slow, /did not take the message within 20 seconds/],
    ['fails', (response: ServerResponse) => response.writeHead(503).end(), /answers with the status 503/],
  ] as const)(
    'and %s delays nothing: run and lock are over, and the next run warns',
    async (_, answer, reason) => {
      const desk = await receiver(answer);
      const name = await run('good.yml', told('webhook', { webhookUrl: desk.url }));
      const status = value(await runStatus(server, { cluster: 'try', run: name }));
      expect([status.status, status.lock]).toEqual(['successful', null]);
      expect(await noted(name)).toEqual([{ name: 'ops', reason: expect.stringMatching(reason) as string }]);
      const { warnings, run: next } = await begin(
        'good.yml',
        told('webhook', { webhookUrl: desk.url }, ['slow']),
      );
      expect(warnings).toEqual([
        expect.stringMatching(`the message ops of ${name} was not sent: it `) as string,
      ]);
      await watch(server, next);
      desk.close();
    },
  );

  test('and sends more than anybody asked for, or elsewhere, is left there', async () => {
    const other = await receiver();
    const huge = await receiver(endless);
    const away = await receiver((response) => response.writeHead(302, { location: other.url }).end());
    const [one, two] = [told('webhook', { webhookUrl: huge.url }), told('webhook', { webhookUrl: away.url })];
    expect(await noted(await run('good.yml', one))).toEqual([{ name: 'ops', reason: '' }]);
    expect(await noted(await run('good.yml', two))).toEqual([
      { name: 'ops', reason: 'it answers with the status 302' },
    ]);
    expect(other.taken).toEqual([]);
    for (const each of [other, huge, away]) each.close();
  });

  test.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'nonsense'])(
    'has no address like %s',
    async (webhookUrl) => {
      expect(await noted(await run('good.yml', told('webhook', { webhookUrl })))).toEqual([
        { name: 'ops', reason: 'its webhookUrl is no address of http or https' },
      ]);
    },
  );
});

describe('an e-mail', () => {
  const home = mkdtempSync(join(tmpdir(), 'playsmith-home-'));
  const before = process.env['HOME'];
  let sink: ChildProcess | undefined;
  afterEach(() => {
    process.env['HOME'] = before;
    sink?.kill();
  });

  test('goes by a real sendmail to a real SMTP server, with headers that no text can add to', async () => {
    const port = await freePort();
    sink = spawn(
      'aiosmtpd',
      ['-n', '-l', `127.0.0.1:${port}`, '-c', 'aiosmtpd.handlers.Debugging', 'stdout'],
      {
        env: { ...process.env, PYTHONUNBUFFERED: '1' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let printed = '';
    sink.stdout?.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
    writeFileSync(
      join(home, '.msmtprc'),
      `account default\nhost 127.0.0.1\nport ${port}\nfrom server@example.org\n`,
    );
    chmodSync(join(home, '.msmtprc'), 0o600);
    process.env['HOME'] = home;
    await server.close();
    server = await locally(directory);
    const name = await run('bad.yml', told('email', {}));
    expect(await noted(name)).toEqual([{ name: 'ops', reason: '' }]);
    await expect.poll(() => printed, { timeout: 10_000 }).toContain('END MESSAGE');
    expect(printed).toContain('Subject: [playsmith] try: bad failed');
    expect(printed).toContain('To: ops@example.org');
    expect(printed).toContain('From: playsmith@example.org');
    expect(printed.replaceAll(/=\n/g, '')).toContain('one, Fail: no <!channel>');
  });
});

const freePort = async (): Promise<number> => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const { port } = holder.address() as AddressInfo;
  await new Promise((resolve) => holder.close(resolve));
  return port;
};
