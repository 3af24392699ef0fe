import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { profile } from '../../generators/definition/profiles/profiles.ts';
import { registry } from '../../tasks/registry.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'playsmith-cli-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const task = (...words: readonly string[]): Promise<{ status: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'dist/tasks/cli.js'), ...words],
      { cwd: folder, env: { ...process.env, HOME: join(folder, 'home') } },
      (error, stdout, stderr) => {
        resolve({ status: error ? Number(error.code) : 0, stdout, stderr });
      },
    );
  });

const now = '2026-11-26T15:51:17.000Z';

describe('the command line', () => {
  test('shows an example of each task', async () => {
    const run = await registry.get('run')?.();
    const help = await task('--quiet', 'run', '--help');
    expect(help.stdout).toContain(`task ${run?.example ?? ''}`);
  });

  test.each([
    ['--version --json', { version: expect.stringMatching(/^\d+\.\d+\.\d+/) as unknown }],
    ['render --version --json', { version: expect.stringMatching(/^\d/) as unknown }],
    ['--json --help', { text: expect.stringContaining('Usage: task <task>') as unknown }],
    ['help --json', { text: expect.stringContaining('Usage: task <task>') as unknown }],
    ['help render --json', { task: 'render', text: expect.stringContaining('task render') as unknown }],
    ['--json=true render -h', { task: 'render', text: expect.stringContaining('task render') as unknown }],
  ])('for programs the answer to %s is JSON', async (words, answer) => {
    const { status, stdout, stderr } = await task(...words.split(' '));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(answer);
  });

  test.each(['foo', '--file', '--check'])('help takes one word, and says so of %s', async (word) => {
    const { status, stderr } = await task('help', 'render', word);
    expect(status).toBe(2);
    expect(stderr).toBe(`error: help takes [about], not also ${word}\nNext: npx task help --help\n`);
  });

  test('knows each task by its own name', async () => {
    for (const [name, load] of registry) expect((await load()).name).toBe(name);
  });

  test('a reader that stops early is no fault', () => {
    const cli = `'${process.execPath}' '${join(root, 'dist/tasks/cli.js')}'`;
    const script = `${cli} schema | head --lines 1; printf '%s' "\${PIPESTATUS[0]}"`;
    expect(execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' })).toBe('{\n0');
  });

  test('neither is one of what goes wrong: the exit code stays', () => {
    const cli = `'${process.execPath}' '${join(root, 'dist/tasks/cli.js')}'`;
    const script = `${cli} check --file none.yml 2>&1 | true; printf '%s' "\${PIPESTATUS[0]}"`;
    expect(execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' })).toBe('6');
  });

  test.each([['help secrets'], ['--help']])('a full disk under the result of %s is told', (words) => {
    const script = `'${process.execPath}' '${join(root, 'dist/tasks/cli.js')}' ${words} 2>&1 >/dev/full; printf '%s' "$?"`;
    expect(execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' })).toBe(
      'error: cannot write the result: its disk is full\n6',
    );
  });

  test.each([
    ['check', 'error: the folder that this was started in is gone\nNext: cd to a folder that is there\n6'],
    [
      'check --json',
      '{"type":"failed","failure":{"kind":"file","message":"the folder that this was started in is gone","next":"cd to a folder that is there"},"exitCode":6}\n6',
    ],
    ['--get-yargs-completions task ch', '6'],
  ])('%s in a folder that was removed says so', (words, said) => {
    const gone = mkdtempSync(join(folder, 'gone-'));
    const script = `rmdir '${gone}'; '${process.execPath}' '${join(root, 'dist/tasks/cli.js')}' ${words} 2>&1; printf '%s' "$?"`;
    expect(execFileSync('bash', ['-c', script], { cwd: gone, encoding: 'utf8' })).toBe(said);
  });

  test('after a bug it ends, also where a connection is open', async () => {
    const run = '20261126T155117Z-verify-7a3a';
    const kept = join(folder, 'home/playsmith/runs/odd', run);
    // Nothing of ours puts a folder in the place of events.
    mkdirSync(join(kept, 'events.ndjson.gz'), { recursive: true, mode: 0o700 });
    const record = { run, cluster: 'odd', playbook: 'verify.yml', digest: 'd', options: {}, meta: {} };
    writeFileSync(
      join(kept, 'record.json'),
      JSON.stringify({ ...record, started: now, ended: now, status: 'successful', process: {} }),
    );
    writeFileSync(join(folder, 'odd.yml'), profile('single', { name: 'odd', ansibleServer: 'local' }));
    const { status, stderr } = await task('logs', run, '--file', 'odd.yml');
    expect(stderr).toContain('this is a bug in playsmith');
    expect(status).toBe(70);
  }, 20_000);

  test('for programs a difference, and what has to be downloaded, are JSON too', async () => {
    writeFileSync(join(folder, 'json.yml'), profile('single', { name: 'odd', ansibleServer: 'local' }));
    for (const [type, ...words] of [
      ['difference', 'diff'],
      ['text', 'artifacts', 'list'],
    ] as const) {
      const { status, stdout } = await task(...words, '--file', 'json.yml', '--json');
      const last = stdout.trimEnd().split('\n').at(-1) ?? '';
      expect(JSON.parse(last)).toMatchObject({ type, text: expect.stringContaining('\n') as string });
      expect(status).toBe(0);
    }
  });

  test('a definition that is not there is a file failure, and says how to get one', async () => {
    const { status, stderr } = await task('check');
    expect(status).toBe(6);
    expect(stderr).toContain('npx task init');
  });

  test('so is a folder in its place, in words', async () => {
    const { status, stderr } = await task('check', '--file', '.');
    expect(status).toBe(6);
    expect(stderr).toContain('cannot read the definition .: it is a folder\n');
  });

  test('init writes a definition that has no fault and is not written over', async () => {
    const flags = [
      '--profile',
      'ha-stacked',
      '--vip',
      '192.0.2.80/24',
      '--ansible-server',
      'ansible@198.51.100.5',
    ];
    expect((await task('init', 'edge-a', ...flags)).status).toBe(0);
    const uid = (): string | undefined =>
      /uid: ([0-9a-f-]{36})/.exec(readFileSync(join(folder, 'cluster.yml'), 'utf8'))?.[1];
    const first = uid();
    expect(first).toBeDefined();
    const checked = await task('check');
    expect(checked.stderr).toContain('cluster edge-a');
    expect(checked.status).toBe(0);
    expect((await task('init', 'edge-b')).status).toBe(6);
    expect(uid()).toBe(first);
    expect((await task('init', 'edge-a', '--force', ...flags)).status).toBe(0);
    expect(uid()).not.toBe(first);
  });

  test('render, render --check and an edit by hand', async () => {
    expect((await task('render')).status).toBe(0);
    expect((await task('render', '--check')).status).toBe(0);
    const playbook = join(folder, 'playbooks/edge-a/haproxy.yml');
    writeFileSync(playbook, readFileSync(playbook, 'utf8').replace('haproxy', 'haprxy'));
    const drifted = await task('render', '--check');
    expect(drifted.status).toBe(4);
    expect(drifted.stderr).toContain('haprxy');
    const refused = await task('run');
    expect(refused.status).toBe(4);
  });

  test('diff says in words what a change means, and refuses a revision that is not there', async () => {
    const file = join(folder, 'cluster.yml');
    const before = readFileSync(file, 'utf8');
    const git = (...words: readonly string[]): void => {
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], { cwd: folder });
    };
    git('init', '--quiet');
    git('add', 'cluster.yml');
    git('commit', '--quiet', '--message', 'one');
    expect((await task('diff')).stdout).toContain('renders to the same as cluster.yml at HEAD');
    writeFileSync(file, before.replace('address: 192.0.2.80/24', 'address: 192.0.2.81/24'));
    const { stdout } = await task('diff');
    writeFileSync(file, before);
    expect(stdout).toMatch(/^In words\n.*192\.0\.2\.81/);
    expect(stdout).toContain('+++');
    expect((await task('diff', '--against', 'nonsense')).status).toBe(2);
  });

  test('all faults of a definition come at once, each with its line', async () => {
    writeFileSync(
      join(folder, 'bad.yml'),
      'apiVersion: playsmith/v1\nkind: Cluster\nmetadata: { name: "Bad Name" }\nnodez: []\n',
    );
    const { status, stderr } = await task('check', '--file', 'bad.yml');
    expect(status).toBe(3);
    expect(stderr).toMatch(/bad\.yml:3:\d+/);
    expect(stderr).toMatch(/bad\.yml:4:\d+/);
  });
});
