import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { fakeHaproxy, type FakeHaproxy } from '../../../support/server/fake-haproxy.ts';
import { templates } from '../../../support/definitions/templates.ts';

const options = 'check port 10256 inter 1000ms fall 2 rise 2';

/** A configuration that says `same`, with these servers in one backend. */
const configuration = (servers: Readonly<Record<string, string>>, description = 'same'): string =>
  [
    'global',
    `    description ${description}`,
    'frontend web',
    '    bind 0.0.0.0:80',
    'backend web',
    `    default-server ${options}`,
    ...Object.entries(servers).map(([name, target]) => `    server ${name} ${target}`),
    '',
  ].join('\n');

const [one, two, three] = ['10.0.0.21:30080', '10.0.0.22:30080', '[2001:db8::23]:30080'];
const state = { web: { w1: one, w2: two } };
const running = { 'web/w1': { target: one }, 'web/w2': { target: two } };

let fake: FakeHaproxy;
afterEach(() => fake.close());

interface Ended {
  readonly status: number | null;
  readonly lines: readonly string[];
}

interface Answer {
  readonly done?: readonly string[];
  readonly msg?: string;
}

/** What the module is told: its options, in check mode or not. */
type Told = Readonly<Record<string, unknown>>;

/** Runs the module against the fake; `reload` is what the fake is after one. */
async function run(file: string, told: Told, reload?: () => void): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-servers-'));
  const [program, cfg, systemctl] = ['servers.py', 'haproxy.cfg', 'systemctl'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const text = templates['collection/plugins/modules/haproxy_servers.py'] ?? '';
  writeFileSync(
    program,
    text.replaceAll('/etc/haproxy/haproxy.cfg', cfg).replaceAll('/run/haproxy/admin.sock', fake.socket),
  );
  writeFileSync(cfg, file);
  writeFileSync(systemctl, '#!/bin/sh\necho "$@"\n');
  chmodSync(systemctl, 0o755);
  const path = `${folder}:${process.env['PATH'] ?? ''}`;
  // The Python that has Ansible.
  const child = spawn('/usr/bin/python3', [program, JSON.stringify({ ANSIBLE_MODULE_ARGS: told })], {
    env: { ...process.env, PATH: path },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      if (chunk.startsWith('reload haproxy')) reload?.();
    });
  const [status] = (await once(child, 'close')) as [number | null];
  const { done, msg } = JSON.parse(said.slice(said.indexOf('{'))) as Answer;
  return {
    status,
    lines: [...(said.startsWith('reload') ? ['reload haproxy'] : []), ...(done ?? [msg ?? ''])],
  };
}

const start = async (...given: Parameters<typeof fakeHaproxy>): Promise<void> => {
  fake = await fakeHaproxy(...given);
  chmodSync(fake.socket, 0o600);
};

describe('servers', () => {
  test('that are as they should be are left alone', async () => {
    await start('same', running);
    expect(await run(configuration(state.web), { seconds: 1 })).toEqual({ status: 0, lines: [] });
    expect(fake.asked).toEqual([]);
  });

  test('that come are told what all are told, and take nothing before their first good check', async () => {
    await start('same', running);
    const ended = await run(configuration({ ...state.web, w3: three }), { seconds: 1 });
    expect(ended).toEqual({ status: 0, lines: ['web/w3 is added'] });
    expect(fake.asked).toEqual([
      `add server web/w3 ${three} ${options}`,
      'enable health web/w3; enable server web/w3; set server web/w3 health down',
    ]);
  });

  test('that go are drained, closed, and only then taken away; their last connections are cut', async () => {
    await start('same', { ...running, 'web/w2': { target: two, connections: 3 } });
    const ended = await run(configuration({ w1: one }), { seconds: 0.5 });
    expect(ended).toEqual({ status: 0, lines: ['web/w2 is removed', '3 connections were cut'] });
    expect(fake.asked).toEqual([
      'set server web/w2 state drain',
      'set server web/w2 state maint',
      'shutdown sessions server web/w2',
      'del server web/w2',
    ]);
    expect([...fake.servers.keys()]).toEqual(['web/w1']);
  });

  test('that somebody or an interrupted run has taken out come back', async () => {
    await start('same', { ...running, 'web/w2': { target: two, state: 8 } });
    const ended = await run(configuration(state.web), { seconds: 1 });
    expect(ended.lines).toEqual(['web/w2 takes connections again']);
    expect(fake.servers.get('web/w2')?.state).toBe(0);
  });

  test('are foretold in check mode, and nothing is asked for', async () => {
    await start('same', running);
    chmodSync(fake.socket, 0o660);
    const ended = await run(configuration({ w1: one, w3: three }), { seconds: 1, _ansible_check_mode: true });
    expect(ended.lines).toEqual([
      'web/w3 is added',
      'web/w2 is removed',
      'only root may change HAProxy while it runs',
    ]);
    expect(fake.asked).toEqual([]);
  });

  test('of the targets are kept from new connections until they are applied again', async () => {
    await start('same', running);
    expect(
      (await run(configuration(state.web), { state: 'drained', seconds: 1, names: ['w2', 'cp1'] })).lines,
    ).toEqual(['web/w2 takes no connections']);
    expect(
      (await run(configuration(state.web), { state: 'drained', seconds: 1, names: ['w2'] })).lines,
    ).toEqual([]);
    expect((await run(configuration(state.web), { seconds: 1 })).lines).toEqual([
      'web/w2 takes connections again',
    ]);
  });
});

describe('a reload', () => {
  test('comes where more than servers changed, after those that go are drained', async () => {
    await start('old', { ...running, 'gone/w1': { target: one } });
    const ended = await run(configuration({ w1: one }), { seconds: 1 }, () => {
      fake.description = 'same';
      fake.servers.delete('web/w2');
      fake.servers.delete('gone/w1');
    });
    expect(ended).toEqual({ status: 0, lines: ['reload haproxy', 'HAProxy is reloaded'] });
    expect(fake.asked.filter((line) => line.includes('drain'))).toEqual(['set server web/w2 state drain']);
  });

  test('comes where a server leads somewhere else', async () => {
    await start('same', running);
    const ended = await run(configuration({ w1: one, w2: three }), { seconds: 1 }, () => {
      fake.servers.set('web/w2', { target: three, state: 0, connections: 0 });
    });
    expect(ended.lines).toEqual(['reload haproxy', 'HAProxy is reloaded']);
  });

  test('leaves no socket open to others, whatever handed it over', async () => {
    await start('same', running);
    chmodSync(fake.socket, 0o660);
    expect((await run(configuration(state.web), { seconds: 1 })).lines).toEqual([
      'only root may change HAProxy while it runs',
    ]);
    expect(statSync(fake.socket).mode & 0o777).toBe(0o600);
  });
});

test('a HAProxy that does not answer is told in one line', async () => {
  await start('same', running);
  await fake.close();
  const { status, lines } = await run(configuration(state.web), { seconds: 1 });
  expect(status).toBe(1);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('see journalctl --unit haproxy');
});
