import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RunMessages } from '../../../tasks/runtime/agent/message-requests.ts';
import type { Server } from '../../../tasks/runtime/server.ts';
import { push } from '../../../tasks/steps/bundle/push.ts';
import { start } from '../../../tasks/steps/run/start.ts';
import { bundleFolder } from '../../support/definitions/bundle-folder.ts';
import { bundleOf, localHost } from '../../support/definitions/bundles.ts';
import { araTools } from '../../support/python-tools.ts';
import { locally, meta, serverFolder, value, watch } from '../../support/server/ansible-server.ts';
import { freePort } from '../../support/server/sshd.ts';

// ARA's own server on loopback, with its SQLite; it asks for a user and a password to write.
const base = mkdtempSync(join(tmpdir(), 'playsmith-ara-'));
const user = { username: 'playsmith', password: 'canary-of-ara' };
let directory: string;
let server: Server;
let ara: ChildProcess | undefined;
let address: string;
let tools: string;
let printed = '';

beforeAll(async () => {
  tools = araTools();
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: base,
    ARA_BASE_DIR: base,
    ARA_WRITE_LOGIN_REQUIRED: 'true',
    ARA_TIME_ZONE: 'UTC',
  };
  const manage = (...words: readonly string[]): unknown =>
    execFileSync(join(tools, 'ara-manage'), words, {
      env: { ...env, DJANGO_SUPERUSER_PASSWORD: user.password },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  manage('migrate');
  manage('createsuperuser', '--noinput', '--username', user.username, '--email', 'a@example.org');
  const words = ['runserver', '--noreload', `127.0.0.1:${port}`];
  ara = spawn(join(tools, 'ara-manage'), words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [ara.stdout, ara.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  await vi.waitFor(
    async () => {
      expect((await fetch(`${address}/api/v1/`)).status).toBe(200);
    },
    { timeout: 60_000, interval: 200 },
  );
  directory = serverFolder();
  server = await locally(directory);
});

afterAll(async () => {
  ara?.kill();
  await server.close();
  for (const folder of [directory, base]) rmSync(folder, { recursive: true, force: true });
});

const bundle = bundleOf({
  'ansible.cfg': '[defaults]\ninventory = inventory\n',
  'inventory/hosts.yml': JSON.stringify({ all: { hosts: { one: localHost, two: localHost } } }),
  'mixed.yml': JSON.stringify([
    {
      ...{ name: 'Mixed', hosts: 'all', gather_facts: false, serial: 1 },
      tasks: [
        { name: 'Change', 'ansible.builtin.debug': { msg: 'hello' }, changed_when: true },
        { name: 'Skip', 'ansible.builtin.debug': {}, when: false },
        {
          name: 'Fail',
          'ansible.builtin.fail': { msg: 'no such thing' },
          when: "inventory_hostname == 'two'",
        },
      ],
    },
  ]),
});

const messages = (password = user.password): RunMessages => ({
  drift: false,
  receivers: [
    {
      ...{ name: 'ara', kind: 'ara', on: ['failed', 'successful'], to: [], from: '' },
      secrets: {
        server: 'message_ara_server',
        username: 'message_ara_username',
        password: 'message_ara_password',
      },
    },
  ],
  values: {
    message_ara_server: address,
    message_ara_username: user.username,
    message_ara_password: password,
  },
});

interface Listing {
  readonly count: number;
  readonly results: readonly Readonly<Record<string, unknown>>[];
}

const listed = async (path: string): Promise<Listing> => {
  const answer = await fetch(`${address}/api/v1/${path}`);
  return (await answer.json()) as Listing;
};

async function run(password?: string): Promise<string> {
  value(await push(server, bundle));
  const started = value(
    await start(server, {
      ...{ bundle, playbook: 'mixed.yml', options: { check: false }, secrets: new Map(), meta },
      messages: messages(password),
    }),
  );
  await watch(server, started.run);
  return started.run;
}

test('a run is recorded with its plays, tasks, hosts and results', async () => {
  const name = await run();
  await expect
    .poll(async () => (await listed(`playbooks?name=${name}`)).results[0]?.['status'], { timeout: 60_000 })
    .toBe('failed');
  const [playbook] = (await listed(`playbooks?name=${name}`)).results;
  expect(playbook).toMatchObject({
    ...{ path: 'mixed.yml', user: meta.operator, items: { plays: 2, tasks: 6, results: 6, hosts: 2 } },
    ansible_version: expect.stringMatching(/^2\./) as string,
  });
  const id = String(playbook?.['id']);
  const { results } = await listed(`results?playbook=${id}&limit=100`);
  expect(results.map(({ status, changed }) => `${String(status)} ${String(changed)}`).toSorted()).toEqual([
    'changed true',
    'changed true',
    'failed false',
    'skipped false',
    'skipped false',
    'skipped false',
  ]);
  const failed = results.find(({ status }) => status === 'failed');
  const detail = await fetch(`${address}/api/v1/results/${String(failed?.['id'])}`);
  expect(await detail.json()).toMatchObject({
    ...{
      content: { msg: 'no such thing' },
      host: { name: 'two' },
      task: { name: 'Fail', action: 'ansible.builtin.fail' },
    },
  });
  const hosts = (await listed(`hosts?playbook=${id}`)).results;
  expect(hosts.map(({ name: host, failed: count }) => [host, count]).toSorted()).toEqual([
    ['one', 0],
    ['two', 1],
  ]);
  expect(printed).not.toContain(user.password);
});

test('a server that refuses is told of by the next run, without the password', async () => {
  const before = (await listed('playbooks')).count;
  const name = await run('another password');
  value(await push(server, bundle));
  await expect
    .poll(
      async () => {
        const { warnings, run: next } = value(
          await start(server, { bundle, playbook: 'mixed.yml', options: {}, secrets: new Map(), meta }),
        );
        await watch(server, next);
        return warnings;
      },
      { timeout: 60_000, interval: 5000 },
    )
    .toEqual([
      expect.stringContaining(
        `the message ara of ${name} was not sent: it answers with the status 40`,
      ) as string,
    ]);
  expect((await listed('playbooks')).count).toBe(before);
});

test("by hand, ARA's callback beside Ansible records what ansible-playbook runs of a bundle", async () => {
  const folder = bundleFolder(bundle.files, join(base, 'bundle'));
  // As the page says, and what else is found beside it.
  const plugins = execFileSync(join(tools, 'python3'), ['-m', 'ara.setup.callback_plugins'], {
    encoding: 'utf8',
  }).trim();
  const site = resolve(plugins, '../../..');
  const before = (await listed('playbooks')).count;
  const ran = spawn('ansible-playbook', ['mixed.yml'], {
    cwd: folder,
    env: {
      ...{ PATH: '/usr/bin:/bin', HOME: base, LC_ALL: 'C.UTF-8', PYTHONPATH: site },
      ANSIBLE_CALLBACK_PLUGINS: plugins,
      ...{ ARA_API_CLIENT: 'http', ARA_API_SERVER: address },
      ...{ ARA_API_USERNAME: user.username, ARA_API_PASSWORD: user.password },
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await new Promise((resolve) => ran.on('close', resolve));
  const { count, results } = await listed('playbooks?order=-id');
  expect(count).toBe(before + 1);
  expect(results[0]).toMatchObject({ path: join(folder, 'mixed.yml'), status: 'failed' });
});
