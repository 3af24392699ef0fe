import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RunMessages } from '../../../tasks/runtime/agent/message-requests.ts';
import type { Server } from '../../../tasks/runtime/server.ts';
import { push } from '../../../tasks/steps/bundle/push.ts';
import { start } from '../../../tasks/steps/run/start.ts';
import { bundleOf, localHost } from '../../support/definitions/bundles.ts';
import { locally, meta, serverFolder, value, watch } from '../../support/server/ansible-server.ts';
import { freePort } from '../../support/server/sshd.ts';

// The collector of OpenTelemetry itself, built from its modules: what it understood of a run it prints.
let directory: string;
let server: Server;
let collector: ChildProcess | undefined;
let printed = '';
let endpoint: string;
const build = mkdtempSync(join(tmpdir(), 'playsmith-collector-'));

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../fixtures/collector'), build, { recursive: true });
  execFileSync('go', ['build', '-o', 'collector', '.'], { cwd: build, stdio: 'inherit' });
  const port = await freePort();
  endpoint = `http://127.0.0.1:${port}`;
  collector = spawn(join(build, 'collector'), ['--config', `yaml:${configuration(port)}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [collector.stdout, collector.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  await vi.waitFor(
    () => {
      expect(printed).toContain('Everything is ready');
    },
    { timeout: 60_000, interval: 200 },
  );
  directory = serverFolder();
  server = await locally(directory);
});

afterAll(async () => {
  collector?.kill();
  await server.close();
  for (const folder of [directory, build]) rmSync(folder, { recursive: true, force: true });
});

const configuration = (port: number): string =>
  JSON.stringify({
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: { debug: { verbosity: 'detailed' } },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: { traces: { receivers: ['otlp'], exporters: ['debug'] } },
    },
  });

const hosts = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [`host-${String(index + 1)}`, localHost]),
);
const tasks = Array.from({ length: 40 }, (_, index) => ({
  name: `Say ${String(index + 1)}`,
  'ansible.builtin.debug': { msg: 'hello' },
}));
const bundle = bundleOf({
  'ansible.cfg': '[defaults]\ninventory = inventory\n',
  'inventory/hosts.yml': JSON.stringify({ all: { hosts } }),
  'many.yml': JSON.stringify([
    { name: 'Many', hosts: 'all', gather_facts: false, tasks },
    {
      name: 'One',
      hosts: 'host-1',
      gather_facts: false,
      tasks: [{ name: 'Fail', 'ansible.builtin.fail': {} }],
    },
  ]),
});

const messages = (): RunMessages => ({
  drift: false,
  receivers: [
    {
      ...{ name: 'traces', kind: 'opentelemetry', on: ['failed'], to: [], from: '' },
      secrets: { endpoint: 'message_traces_endpoint' },
    },
  ],
  values: { message_traces_endpoint: endpoint },
});

test('a collector understands every span of a run, in more than one request', async () => {
  value(await push(server, bundle));
  const options = { check: false };
  const { run } = value(
    await start(server, {
      bundle,
      playbook: 'many.yml',
      options,
      secrets: new Map(),
      meta,
      messages: messages(),
    }),
  );
  await watch(server, run);
  await expect.poll(() => printed, { timeout: 60_000 }).toContain('run: many.yml');
  const names = [...printed.matchAll(/^ +Name +: (.*)$/gm)].map(([, name = '']) => name);
  expect(names.filter((name) => name.startsWith('host: '))).toHaveLength(30 * 40 + 1);
  expect(names.filter((name) => name.startsWith('task: '))).toHaveLength(41);
  expect(names.filter((name) => /^(?:play|run): /.test(name)).toSorted()).toEqual([
    'play: Many',
    'play: One',
    'run: many.yml',
  ]);
  expect(printed).toContain('-> service.name: Str(playsmith)');
  expect(printed).toContain('-> playsmith.hosts: Int(30)');
  expect(printed).toMatch(/Status code +: Error/);
  const traces = new Set([...printed.matchAll(/^ +Trace ID +: ([0-9a-f]{32})$/gm)].map(([, id]) => id));
  expect(traces.size).toBe(1);
});
