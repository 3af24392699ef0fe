import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { completions } from '../../tasks/complete.ts';
import { summaries } from '../../tasks/overview/summaries.ts';
import { clusterOf, keepRun } from '../support/definitions/reports.ts';

const folder = mkdtempSync(join(tmpdir(), 'playsmith-complete-'));
writeFileSync(join(folder, 'cluster.yml'), clusterOf(5));
const { run } = keepRun(folder, { hosts: 5, tasks: 10 });
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What the shell gets for a line: one word a line. */
const completed = (...words: readonly string[]): Promise<string[]> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, '../../dist/tasks/cli.js'), '--get-yargs-completions', 'task', ...words],
      { cwd: folder, env: { ...process.env, SHELL: '/bin/bash' } },
      (_, stdout) => {
        resolve(stdout.split('\n').filter((word) => word !== ''));
      },
    );
  });

test.each([
  [['rep'], 'report'],
  [['run', 'hap'], 'haproxy'],
  [['run', '--limit', 'work'], 'worker0001'],
  [['heal-node', 'mas'], 'master2'],
  [['scale-in', 'worker0001', '--confirm', 'edge'], 'edge-a'],
  [['logs', '2026'], run],
  [['report', 'clu'], 'cluster'],
  [['explain', 'lo'], 'locked'],
  [['drill', 'etcd'], 'etcd-restore'],
  [['run', '--che'], '--check'],
  [['--js'], '--json'],
  [['help', 'sec'], 'secrets'],
  [['help', 'ren'], 'render'],
  [['lab', 'st'], 'status'],
  [['schema', '--kind', 'Fl'], 'Fleet'],
  [['run', '--file', 'cluster.yml', 'hap'], 'haproxy'],
  [['run', '--file=cluster.yml', 'hap'], 'haproxy'],
  [['run', '--file', '=', 'cluster.yml', 'hap'], 'haproxy'],
])('%j is completed by %s', async (words, wanted) => {
  expect(await completed(...words)).toContain(wanted);
});

test('of words that begin otherwise there is none', async () => {
  expect(await completed('re')).toEqual([
    'render',
    'review',
    'resume',
    'replace-node',
    'reconfigure',
    'restore',
    'report',
  ]);
});

test('zsh is told what each word is', async () => {
  const words = await completions(['expl'], { zsh: true });
  expect(words).toEqual([`explain:${summaries.explain}`]);
});

test('without a definition there is no name, and nothing is said', async () => {
  expect(await completed('heal-node', '--file', 'nothing.yml', 'mas')).toEqual([]);
});
