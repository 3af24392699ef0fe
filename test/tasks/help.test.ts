import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { groupNames, tasksOf } from '../../tasks/overview/groups.ts';
import { commandLine } from '../../tasks/command-line.ts';
import { tasksPage } from '../../tasks/overview/reference-page.ts';
import { screen } from '../../tasks/overview/screen.ts';
import { isTaskName, summaries } from '../../tasks/overview/summaries.ts';
import { taskEntry } from '../../tasks/overview/task-list.ts';
import { topics } from '../../tasks/overview/topics.ts';
import { registry } from '../../tasks/registry.ts';
import { exitCodes } from '../../tasks/runtime/failures.ts';

const root = join(import.meta.dirname, '..', '..');

const task = (...words: readonly string[]): Promise<{ status: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'dist/tasks/cli.js'), ...words], (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr });
    });
  });

describe('the overview', () => {
  test('names every task exactly once', () => {
    const named = groupNames.flatMap(tasksOf);
    expect(named.toSorted()).toEqual([...registry.keys()].toSorted());
    expect(Object.keys(summaries).toSorted()).toEqual(named.toSorted());
  });

  test('says of each record what the record says of itself', async () => {
    for (const [name, load] of registry) {
      const record = await load();
      expect(record.name).toBe(name);
      expect(tasksOf(record.group)).toContain(name);
    }
  });

  test.each([...registry.keys()].filter(isTaskName))(
    'the list of the build says the same of %s',
    async (name) => {
      const record = await registry.get(name)?.();
      expect(await taskEntry(name)).toEqual(JSON.parse(JSON.stringify(record)));
    },
  );

  test('the reference page says the same', async () => {
    const order = groupNames.flatMap(tasksOf);
    const records = await Promise.all(order.map(async (name) => registry.get(name)?.()));
    const page = tasksPage(records.filter((record) => record !== undefined));
    await expect(page).toMatchFileSnapshot('../../docs/reference/tasks.md');
  });

  test('fits on one screen', () => {
    const lines = screen().trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(45);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test.each([[['--help']], [['-h']], [['help']], [['help', '--help']], [['--quiet', '--help']]])(
    '%j shows it',
    async (words) => {
      expect(await task(...words)).toEqual({ status: 0, stdout: screen(), stderr: '' });
    },
  );
});

describe('help', () => {
  test('of a task is what --help shows', async () => {
    const { stdout } = await task('help', 'render');
    expect(stdout).toContain(summaries.render);
    expect(stdout).toBe((await task('render', '--help')).stdout);
  });

  test.each(Object.keys(topics))('tells about %s', async (topic) => {
    const { status, stdout } = await task('help', topic);
    expect(status).toBe(0);
    expect(stdout.split('\n').length).toBeGreaterThan(10);
  });

  test('shows no option that the task has no use for', async () => {
    expect((await task('scale-in', '--help')).stdout).toContain('--count');
    expect((await task('scale-out', '--help')).stdout).not.toContain('--count');
    expect((await task('scale-out', '--help')).stdout).toContain('--kubectl-host');
    const { stdout } = await task('upgrade', '--help');
    for (const option of ['--node', '--target', '--kubectl-host']) expect(stdout).not.toContain(option);
  });

  test('every page of a topic is a topic', () => {
    const pages = readdirSync(join(root, 'docs/topics')).map((name) => name.replace(/\.md$/, ''));
    expect(pages.toSorted()).toEqual(
      Object.keys(topics)
        .filter((name) => !['exit-codes', 'man'].includes(name))
        .toSorted(),
    );
  });

  test('of exit codes has every one', async () => {
    const { stdout } = await task('help', 'exit-codes');
    for (const [kind, code] of Object.entries(exitCodes))
      expect(stdout).toMatch(new RegExp(`^${code} +${kind} `, 'm'));
  });
});

describe('a mistake of the command line', () => {
  test.each([
    [['rnder'], 'no task rnder; did you mean render?', 'npx task --help'],
    [['foo'], 'there is no task foo\n', 'npx task --help'],
    [['help', 'secretz'], 'did you mean secrets?', 'npx task --help'],
    [['render', '--chek'], 'render has no option --chek; did you mean --check?', 'npx task render --help'],
    [['render', '--chek=no'], 'did you mean --check?', 'npx task render --help'],
    [['run', '-x'], 'run has no option -x', 'npx task run --help'],
    [['check', 'cluster.yml'], '--file cluster.yml', 'npx task check --help'],
    [['check', '--file'], '--file needs a value', 'npx task check --help'],
    [['check', '--file', ''], '--file needs a value', 'npx task check --help'],
    [['check', '-f', 'a', '-f', 'b'], '--file is given more than once', 'npx task check --help'],
    [['schema', '--kind', 'Fleet', '--kind', 'Fleet'], '--kind is given more than once', ''],
    [['import'], 'import needs <kind> [sources..]', 'npx task import --help'],
    [['cnf-scale', 'web'], 'cnf-scale needs --aspect', ''],
    [['scale-in', '--policy', 'odd'], '--policy is one of newest, oldest, not odd', ''],
    [['logs', 'a', 'b'], 'logs takes [run], not also b', ''],
    [['completion', 'fish'], 'bash or zsh', ''],
    [[], 'name a task', 'npx task --help'],
    [['lab', 'explode'], 'one of up, status', 'npx task lab --help'],
    [['runs', '--limit', 'many'], '1 or more', 'npx task runs --help'],
    [['run', '--forks', '0'], '1 or more', ''],
    [['attach', '--from', '1.5'], '0 or more', ''],
    [['run', 'haproxy', '--limit'], '--limit needs a value', 'npx task run --help'],
    [['run', 'haproxy', '--limit', '--check'], '--limit needs a value', ''],
    [['run', 'haproxy', '--limit', ''], '--limit needs a value', ''],
    [['run', 'haproxy', '--limit='], '--limit needs a value', ''],
    [['run', 'haproxy', '--limit', 'a', '--limit', ' , '], '--limit needs a value', ''],
    [['run', 'haproxy', '--tags', ''], '--tags needs a value', ''],
    [['run', ''], 'an empty word stands where run takes [playbook]', 'npx task run --help'],
    [['fleet', 'run', 'haproxy', '--site', ''], '--site needs a value', ''],
    [['fleet', 'apply', '--cluster'], '--cluster needs a value', ''],
    [['trust', ''], 'an empty word stands where trust takes [machines..]', ''],
    [['run', '--', 'haproxy'], '-- has no meaning here', 'npx task --help'],
    [['--', 'check'], '-- has no meaning here', ''],
    [['--help', 'rnder'], 'no task rnder; did you mean render?', ''],
    [['--quiet', 'help', 'rnder'], 'did you mean render?', ''],
    [['run', '--check=yes'], '--check is true or false, not "yes"', 'npx task run --help'],
    [['run', '--check='], '--check is true or false, not ""', ''],
    [['update', '--dryRun=1'], '--dryRun is true or false, not "1"', ''],
    [['apply', '-y=yes'], '-y is true or false, not "yes"', ''],
    [['run', '--json=maybe'], '--json is true or false', ''],
    [['cnf-update', '--no-rollback=true'], '--no-rollback takes no value', ''],
    [['check', '--no-file'], 'check has no option --no-file', 'npx task check --help'],
    [['run', '--no-limit'], 'run has no option --no-limit', ''],
    [['check', '--file.x', 'a'], 'check has no option --file.x', ''],
    [['run', '--set.x', 'a'], 'run has no option --set.x', ''],
    [['check', '-fcluster.yml'], 'a value stands apart: -f cluster.yml', ''],
    [['check', '-f', 'a', '-f'], '-f needs a value', ''],
    [['check', '--quiet', 'maybe'], 'check takes no words, not also maybe', ''],
    [['run', 'haproxy', '--limit', 'a', 'b'], 'run takes [playbook], not also b', ''],
    [['run', 'haproxy', '--playbook', 'keepalived'], 'run takes [playbook], or --playbook, not both', ''],
    [['scale-in', 'a', '--node', 'b'], 'scale-in takes [node..], or --node, not both', ''],
    [['runs', '--limit', '3', '--limit', '4'], '--limit is given more than once', ''],
    [['scale-in', '--count', '1', '--count', '1'], '--count is given more than once', ''],
    [['run', '--forks=4', '--forks', '1'], '--forks is given more than once', ''],
    [['cnf-scale', 'web', '--aspect', 'a', '--out', '2', '--out', '1'], '--out is given more than once', ''],
    [['lab', 'up', '--workers', 'many'], '--workers has to be a number', ''],
    [['attach', '--web-listen', '127.0.0.1:8080'], 'how the page of --web is served', 'add --web'],
    [['fleet', 'drift', '--cluster', 'a', 'b'], 'fleet drift takes no word, not b', ''],
    [
      ['fleet', 'apply', '--check', '--yes'],
      '--check is an option of fleet run, not of fleet apply; nothing was done',
      'npx task fleet plan shows what would be done',
    ],
    [['fleet', 'run', '--plan', '3f9c1a7e2b40'], '--plan is an option of fleet apply, not', ''],
    [['fleet', 'cancel', '--force'], '--force is an option of fleet unlock, not', 'npx task fleet --help'],
    [['fleet', 'plan', '--set', 'a=b'], '--set is an option of fleet run and of fleet apply, not', ''],
    [['patch', ','], '"," names nothing where patch takes [machine..]', 'npx task patch --help'],
    [['cnf-heal', ' , '], '" , " names nothing where cnf-heal takes <cnf>', ''],
    [['init', 'a', '--profile', 'single', '--vip', '192.0.2.80/24'], 'single has no use for --vip', ''],
    [['init', '--profile', 'lab', '--ansible-server', 'local'], 'lab has no use for --ansible-server', ''],
    [['update', '--mirror', 'localhost:5000'], '--mirror localhost:5000 is no URL of http or https', ''],
  ])('%j is refused with exit code 2, and a hint', async (words, hint, next) => {
    const { status, stderr } = await task(...words);
    expect(status).toBe(2);
    expect(stderr).toContain(hint);
    expect(stderr).toContain(next);
  });

  test('words after an option that is repeated are no values of it: a playbook stays one', async () => {
    const asked = await commandLine(['run', '--limit', 'a', '--limit=b,c', '--tags', 'x', 'haproxy']);
    expect(asked?.values).toMatchObject({ limit: ['a', 'b,c'], tags: ['x'], playbook: 'haproxy' });
    const cnf = await commandLine(['cnf-heal', '--pod', 'web-0', 'web', '--check=true']);
    expect(cnf?.values).toMatchObject({ pod: ['web-0'], cnf: 'web', check: true });
  });

  test('is JSON for programs', async () => {
    const { stdout, status } = await task('render', '--json', '--chek');
    expect(JSON.parse(stdout)).toMatchObject({ type: 'failed', failure: { kind: 'usage' }, exitCode: 2 });
    expect(status).toBe(2);
  });
});
