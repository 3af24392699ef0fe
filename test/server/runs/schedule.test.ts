import { execFile, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pack, type Bundle } from '../../../generators/bundle.ts';
import { calendarEvent } from '../../../generators/definition/schema/calendar.ts';
import { render } from '../../../generators/render.ts';
import { agentProgram } from '../../../tasks/runtime/agent/program.ts';
import type { MessageReceiver } from '../../../tasks/runtime/agent/message-requests.ts';
import type { JobRequest } from '../../../tasks/runtime/agent/schedule-messages.ts';
import type { Server } from '../../../tasks/runtime/server.ts';
import { push } from '../../../tasks/steps/bundle/push.ts';
import { runs } from '../../../tasks/steps/run/runs.ts';
import { bundleOf, localHost } from '../../support/definitions/bundles.ts';
import { exampleClusters } from '../../support/definitions/examples.ts';
import { templates } from '../../support/definitions/templates.ts';
import {
  begin,
  contents,
  failure,
  locally,
  meta,
  serverFolder,
  smallDisk,
  value,
  watch,
} from '../../support/server/ansible-server.ts';

const full = exampleClusters.find(({ name }) => name === 'full');
if (full === undefined) throw new Error('there is no example full');
const rendered = pack(full, render(full, templates)).files;
const textOf = (path: string): string => rendered.find((file) => file.path === path)?.text ?? '';

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
const bundle = bundleOf({
  'ansible.cfg': '[defaults]\ninventory = inventory\n',
  'inventory/hosts.yml': JSON.stringify({ all: { hosts: { one: localHost, two: localHost } } }),
  'instantiate.yml': play({
    name: 'Differ on one host',
    'ansible.builtin.debug': { msg: 'hello' },
    changed_when: "inventory_hostname == 'one'",
  }),
  'verify.yml': play({
    name: 'Look',
    'ansible.builtin.debug': {
      msg: 'it is {{ vault_word | default("") }}, sum {{ vault_word | default("") | hash("sha256") }}',
    },
  }),
  'break.yml': play({ name: 'Break', 'ansible.builtin.shell': String.raw`printf '\377bad' >&2; exit 3` }),
  'site.yml': play({ name: 'Wait', 'ansible.builtin.command': 'sleep 300' }),
});
const job = (playbook: string, options: JobRequest['options'] = {}): JobRequest => ({
  ...{ playbook, options, machines: [], outline: [] },
  meta: { ...meta, operator: 'the schedule of Ada', commandLine: ['task', 'schedule'] },
});
const jobs = {
  drift: job('instantiate.yml', { check: true, diff: true }),
  verify: job('verify.yml'),
  'etcd-backup': job('site.yml'),
  certificates: job('break.yml'),
};

async function install(
  {
    secretsFolder = '',
    variables = [],
    messages = [],
  }: { secretsFolder?: string; variables?: string[]; messages?: MessageReceiver[] } = {},
  of: Bundle = bundle,
): ReturnType<typeof keep> {
  value(await push(server, of));
  const kept = await keep({ digest: of.digest, who: 'Ada', secretsFolder, variables, messages, jobs });
  const folder = join(directory, 'schedules', 'try');
  if (kept.ok) writeFileSync(join(folder, 'run-job'), textOf('files/schedule/run-job.sh'), { mode: 0o700 });
  return kept;
}
const keep = (schedule: object) =>
  server.agent().ask('keep-schedule', {
    cluster: 'try',
    program: agentProgram().toString('base64'),
    schedule: schedule as never,
  });

/** As the unit does: its own words, with the folder of this test in place of the example's. */
const words = (name: string): string[] =>
  (/^ExecStart=(.*)$/m.exec(textOf('files/schedule/playsmith-full.drift.service'))?.[1] ?? '')
    .replace('/opt/playsmith/schedules/full', join(directory, 'schedules', 'try'))
    .replace(' full drift', ` try ${name}`)
    .split(' ');
const fire = (name: string): Promise<{ status: number; output: string }> =>
  new Promise((resolve) => {
    const [program = '', ...more] = words(name);
    // systemd gives a service little.
    const env = { HOME: process.env['HOME'] ?? '/root', PATH: process.env['PATH'] ?? '' };
    execFile(program, more, { env }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
const listed = async () => value(await runs(server, { cluster: 'try', limit: 50 })).runs;
const state = async (name: string) =>
  value(await server.agent().ask('schedule', { cluster: 'try' })).jobs.find((each) => each.job === name);

describe('a job that a timer starts', () => {
  test('is a run as a client starts it: in the list, to be followed, with its record; drift has its exit code', async () => {
    value(await install());
    const { status, output } = await fire('drift');
    expect(output).toContain('drift of try: drifted\none differ from the bundle');
    expect(status).toBe(25);
    const [run] = await listed();
    expect(run).toMatchObject({ status: 'successful', options: { check: true }, digest: bundle.digest });
    expect(run?.meta.operator).toBe('the schedule of Ada');
    expect(run?.login).toMatchObject({ address: '' });
    const seen = await watch(server, run?.run ?? '');
    expect(seen.events.map(({ type }) => type)).toContain('host-finished');
    expect(await state('drift')).toMatchObject({ last: { run: run?.run, status: 'drifted' } });
    expect((await fire('verify')).status).toBe(0);
    expect((await listed()).map(({ playbook }) => playbook)).toEqual(['instantiate.yml', 'verify.yml']);
  });

  test('tells what failed, also where that is no text', async () => {
    value(await install());
    const { status, output } = await fire('certificates');
    expect(status).toBe(20);
    expect(output).toMatch(/^certificates of try: failed\n/);
    expect(output).toMatch(/\none: non-zero return code\n.*bad\n/);
    expect(await state('certificates')).toMatchObject({ last: { status: 'failed' } });
  });

  test('is told to stop as a run is cancelled, and leaves nothing', async () => {
    value(await install());
    const [program = '', ...more] = words('etcd-backup');
    const started = spawn(program, more, { stdio: 'ignore' });
    const ended = new Promise((resolve) => started.once('exit', resolve));
    await expect.poll(async () => (await listed()).length, { timeout: 30_000 }).toBe(1);
    const watched = watch(server, '');
    const sleeps = (): boolean =>
      execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n').includes('sleep 300');
    await expect.poll(sleeps, { timeout: 30_000, interval: 200 }).toBe(true);
    started.kill('SIGTERM');
    expect(await ended).toBe(22);
    expect(value((await watched).followed).status).toBe('canceled');
    expect((await state('etcd-backup'))?.last).toMatchObject({ status: 'canceled' });
    expect(sleeps()).toBe(false);
  });

  test('waits for whoever holds the cluster, and gives up when it is told to', async () => {
    value(await install());
    value(await begin(server, bundle));
    const [program = '', ...more] = words('verify');
    const started = spawn(program, more, { stdio: 'ignore' });
    const ended = new Promise((resolve) => started.once('exit', resolve));
    await new Promise((resolve) => setTimeout(resolve, 4000));
    started.kill('SIGTERM');
    expect(await ended).toBe(15);
    expect((await state('verify'))?.last).toMatchObject({ run: '', status: 'locked' });
    value(await server.agent().ask('cancel', { cluster: 'try', run: '', who: 'Ada' }));
  });

  test('runs nothing when its bundle was changed, or the schedule is gone', async () => {
    value(await install());
    const file = join(directory, 'bundles', 'try', bundle.digest, 'verify.yml');
    chmodSync(file, 0o600);
    writeFileSync(file, play({ name: 'Other', 'ansible.builtin.debug': { msg: 'evil' } }));
    const changed = await fire('verify');
    expect(changed.status).toBe(14);
    expect(changed.output).toContain('is not the bundle that was reviewed');
    expect(value(await server.agent().ask('forget-schedule', { cluster: 'try' }))).toEqual({ removed: true });
    expect(existsSync(join(directory, 'schedules', 'try'))).toBe(false);
    expect(await listed()).toEqual([]);
  });
});

describe('a job that cannot begin', () => {
  test('is told to receivers also where the disk takes no note of it', async () => {
    const taken: string[] = [];
    const receiver = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        taken.push(body);
        response.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const secrets = mkdtempSync(join(tmpdir(), 'playsmith-secrets-'));
    const { port } = receiver.address() as AddressInfo;
    writeFileSync(join(secrets, 'message_ops_url'), `http://127.0.0.1:${port}/`, { mode: 0o600 });
    const disk = smallDisk(1024);
    const elsewhere = [server, directory] as const;
    directory = disk.folder;
    server = await locally(directory);
    try {
      const message = { name: 'ops', kind: 'webhook', on: ['failed'], to: [], from: '' } as const;
      const messages = [{ ...message, secrets: { webhookUrl: 'message_ops_url' } }];
      value(await install({ secretsFolder: secrets, variables: ['message_ops_url'], messages }));
      try {
        writeFileSync(join(directory, 'filler'), Buffer.alloc(2 ** 21));
      } catch {
        // It is full.
      }
      const { status, output } = await fire('verify');
      expect([status, output]).toEqual([13, expect.stringContaining('its disk is full')]);
      expect(output).not.toContain('Traceback');
      expect(JSON.parse(taken[0] ?? '{}')).toMatchObject({ playbook: 'verify', result: 'failed' });
    } finally {
      await server.close();
      receiver.close();
      disk.unmount();
      rmSync(secrets, { recursive: true });
      [server, directory] = elsewhere;
    }
  });

  test('with the Python of a folder that others may write runs nothing of it', async () => {
    value(await install());
    const bin = join(directory, 'venv', 'bin');
    mkdirSync(bin, { recursive: true, mode: 0o755 });
    writeFileSync(join(bin, 'python'), '#!/bin/sh\necho of somebody else\n', { mode: 0o755 });
    expect((await fire('verify')).output).toBe('of somebody else\n');
    chmodSync(join(directory, 'venv'), 0o777);
    const { status, output } = await fire('verify');
    expect(output).not.toContain('of somebody else');
    expect([status, output]).toEqual([13, expect.stringContaining(`may write ${join(directory, 'venv')}`)]);
  });
});

describe('secrets of a job', () => {
  const secrets = mkdtempSync(join(tmpdir(), 'playsmith-secrets-'));
  const named = { secretsFolder: secrets, variables: ['vault_word'] };
  const path = join(secrets, 'vault_word');

  test('are read from their folder, reach the playbook, and are nowhere afterwards', async () => {
    writeFileSync(path, 'canary-of-a-secret\n', { mode: 0o600 });
    chmodSync(path, 0o600);
    value(await install(named));
    expect((await fire('verify')).status).toBe(0);
    const printed: string[] = [];
    const [run] = await listed();
    value(
      await server.agent().ask('log', { cluster: 'try', run: run?.run ?? '' }, (event) => {
        if ('text' in event) printed.push(event.text);
      }),
    );
    expect(printed.join('')).toContain('it is ');
    expect(printed.join('') + [...contents(directory).values()].join('')).not.toContain('canary-of');
  });

  test('have every character that they have', async () => {
    const word = 'pä😀ss\ufffe "\\{{ 7 * 7 }}';
    writeFileSync(path, `${word}\n`, { mode: 0o600 });
    chmodSync(path, 0o600);
    value(await install(named));
    expect((await fire('verify')).status).toBe(0);
    const printed: string[] = [];
    value(
      await server.agent().ask('log', { cluster: 'try', run: '' }, (event) => {
        if ('text' in event) printed.push(event.text);
      }),
    );
    expect(printed.join('')).toContain(`sum ${createHash('sha256').update(word).digest('hex')}`);
  });

  test('that lack, or that others may read, keep the schedule from being installed and the job from running', async () => {
    writeFileSync(path, 'canary-of-a-secret\n');
    chmodSync(path, 0o600);
    value(await install(named));
    chmodSync(path, 0o644);
    expect(failure(await install(named))).toMatchObject({
      kind: 'server',
      evidence: 'vault_word: others may read or write it (owner 0, mode 0644)',
    });
    const { status, output } = await fire('verify');
    expect([status, output]).toEqual([13, expect.stringContaining('vault_word: others may read')]);
    rmSync(path);
    expect(failure(await install(named))).toMatchObject({
      evidence: 'vault_word: No such file or directory',
    });
    expect(await listed()).toEqual([]);
  });
});

test('gc keeps the bundle that jobs use', async () => {
  value(await install());
  const place = join(directory, 'bundles', 'try', bundle.digest);
  execFileSync('touch', ['-d', '2020-01-01', place]);
  const gone = { cluster: 'try', who: 'Ada', check: false, runs: 1, days: 1 };
  expect(value(await server.agent().ask('gc', gone)).bundles).toEqual([]);
  value(await server.agent().ask('forget-schedule', { cluster: 'try' }));
  expect(value(await server.agent().ask('gc', gone)).bundles).toEqual([bundle.digest]);
});

describe('the units', () => {
  test('are what systemd understands', () => {
    const folder = mkdtempSync(join(tmpdir(), 'playsmith-units-'));
    const paths = rendered.flatMap(({ path, text }) => {
      const name = /^files\/schedule\/(playsmith-.*)$/.exec(path)?.[1];
      if (name === undefined) return [];
      writeFileSync(join(folder, name), text);
      return [join(folder, name)];
    });
    expect(paths.length).toBe(10);
    execFileSync('systemd-analyze', ['verify', '--man=no', ...paths], { stdio: 'pipe' });
    rmSync(folder, { recursive: true });
  });

  test('have times that systemd understands: whatever the definition may say', () => {
    const number = (least: number, most: number) => fc.integer({ min: least, max: most }).map(String);
    const numbers = (least: number, most: number) =>
      fc.oneof(
        fc.constant('*'),
        number(least, most),
        fc
          .tuple(number(least, most), number(least, most), number(1, 30))
          .map(([a, b, c]) => `${a}..${b}/${c}`),
        fc.array(number(least, most), { minLength: 1, maxLength: 3 }).map((all) => all.join(',')),
      );
    const weekdays = fc.constantFrom(
      '',
      'Mon',
      'Mon..Fri',
      'Sat,Sun',
      'Mon..Wed,Fri',
      'Sun..Mon',
      'mon',
      'Monday',
    );
    const date = fc.oneof(
      fc.constant(''),
      fc.tuple(numbers(1, 12), numbers(1, 31)).map(([month, day]) => `*-${month}-${day}`),
    );
    const time = fc.oneof(
      fc.constant(''),
      fc.tuple(numbers(0, 23), numbers(0, 59)).map((each) => each.join(':')),
      fc.tuple(numbers(0, 23), numbers(0, 59), numbers(0, 59)).map((each) => each.join(':')),
    );
    const zone = fc.constantFrom('', 'UTC', 'Europe/Berlin', 'America/New_York');
    const event = fc.oneof(
      fc.constantFrom(
        'hourly',
        'daily',
        'weekly',
        'monthly',
        'quarterly',
        'semiannually',
        'yearly',
        'daily UTC',
      ),
      fc.tuple(weekdays, date, time, zone).map((parts) => parts.filter((part) => part !== '').join(' ')),
    );
    const events = fc.sample(event, 400).filter((each) => calendarEvent(each) === undefined);
    expect(events.length).toBeGreaterThan(100);
    execFileSync('systemd-analyze', ['calendar', ...events], { stdio: 'pipe' });
  });

  test('have steps and days that systemd understands, and that come', () => {
    const stepped = (least: number, most: number) =>
      fc
        .tuple(fc.integer({ min: least, max: most }), fc.integer({ min: 1, max: 70 }), fc.boolean())
        .map(([from, step, isStepped]) => (isStepped ? `${from}/${step}` : `${from}`));
    const event = fc
      .tuple(stepped(1, 12), stepped(1, 31), stepped(0, 23), stepped(0, 59))
      .map(([month, day, hour, minute]) => `*-${month}-${day} ${hour}:${minute} UTC`);
    const events = fc.sample(event, 2000).filter((each) => calendarEvent(each) === undefined);
    expect(events.length).toBeGreaterThan(50);
    const said = execFileSync('systemd-analyze', ['calendar', ...events], { encoding: 'utf8' });
    expect(said).not.toContain('Next elapse: never');
  });

  test.each([
    '',
    'sometimes',
    'UTC',
    '25:00',
    'Mon 02:00\nExecStart=/bin/evil',
    '*-13-01',
    '%h',
    '2026-01-01',
    ' daily',
  ])('do not have %j', (text) => {
    expect(calendarEvent(text)).toBeDefined();
  });
});

test('the program of a timer looks for Python as that of a client does', () => {
  expect(textOf('files/schedule/run-job.sh')).toContain('exec "$python" -I -c \'import json,sys,zlib');
  execFileSync('sh', ['-n'], { input: textOf('files/schedule/run-job.sh') });
  expect(readFileSync('tasks/runtime/agent/program.ts', 'utf8')).toContain('zlib.decompress');
});
