import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definitionOf } from '../bench/definition.ts';
import { packageRoot } from '../../tasks/runtime/package.ts';
import { action, jobsWith, stepsWith } from '../support/pipelines.ts';
import { pythonTools } from '../support/python-tools.ts';
import { allApplied } from '../support/server/applied.ts';
import { startSshd, type Sshd } from '../support/server/sshd.ts';
import { quietWorld } from '../support/world.ts';

let sshd: Sshd;
let project: string;
const runner = mkdtempSync(join(tmpdir(), 'playsmith-runner-'));
const files = join(runner, 'on-server');

/** Programs that a pipeline finds first: `npm ci` would take the modules away that the test gave it. */
const programs = join(runner, 'bin');
const path = `${programs}:${process.env['PATH'] ?? ''}`;

const definition = (): string =>
  definitionOf(4, { name: 'try' }).replace(
    /^ansibleServer: .*$/m,
    `ansibleServer: { host: 127.0.0.1, port: ${sshd.port}, user: ${userInfo().username}, hostKey: ${sshd.hostKey}, directory: ${files} }`,
  );

beforeAll(async () => {
  sshd = await startSshd();
  mkdirSync(programs);
  writeFileSync(join(programs, 'npm'), `#!/bin/sh\necho "$*" >> ${join(runner, 'npm.log')}\n`);
  chmodSync(join(programs, 'npm'), 0o755);
  project = join(runner, 'project');
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
  for (const name of ['task', 'playsmith'])
    symlinkSync(join(packageRoot, 'dist/tasks/cli.js'), join(project, 'node_modules/.bin', name));
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
  writeFileSync(join(project, '.gitignore'), 'node_modules/\n.playsmith/\n');
  git('init', '--quiet', '--initial-branch', 'main');
  change(definition());
});
afterAll(() => {
  sshd.close();
  rmSync(runner, { recursive: true });
});

const git = (...words: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
    cwd: project,
    encoding: 'utf8',
  });

/** Commits a definition with the bundle that it renders to. */
function change(text: string): void {
  writeFileSync(join(project, 'cluster.yml'), text);
  execFileSync(join(project, 'node_modules/.bin/task'), ['render', '--quiet'], { cwd: project });
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Change the cluster');
}

interface Pipeline {
  readonly status: number;
  readonly log: string;
  readonly summary: string;
  readonly outputs: string;
}

/** Runs the steps as GitHub does: each in a bash of its own; after one that fails only those that say `always()`. */
function github(inputs: Readonly<Record<string, string>>): Pipeline {
  const [summary, outputs, env] = ['summary', 'outputs', 'env'].map((name) => join(runner, name));
  for (const file of [summary, outputs, env]) writeFileSync(file ?? '', '');
  let [status, log] = [0, ''];
  for (const step of stepsWith(inputs)) {
    if (status !== 0 && step.if?.startsWith('always()') !== true) continue;
    const exported = readFileSync(env ?? '', 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('='));
    const script = join(runner, 'step.sh');
    writeFileSync(script, step.run);
    const ran = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: join(project, step['working-directory'] ?? '.'),
      encoding: 'utf8',
      env: {
        HOME: join(runner, 'home'),
        PATH: path,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_OUTPUT: outputs,
        GITHUB_ENV: env,
        RUNNER_TEMP: runner,
        ...(Object.fromEntries(exported) as Record<string, string>),
        ...step.env,
      },
    });
    log += `${ran.stdout}${ran.stderr}`;
    if (status === 0) status = ran.status ?? 255;
  }
  const [shown = '', told = ''] = [summary, outputs].map((file) => readFileSync(file ?? '', 'utf8'));
  return { status, log, summary: shown, outputs: told };
}

const key = (): string => readFileSync(sshd.privateKey, 'utf8');
/** Agents that live; of one that ended somebody has yet to hear. */
const agents = (): readonly string[] =>
  spawnSync('ps', ['-C', 'ssh-agent', '-o', 'pid=,stat='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => /^ *\d+ +[^Z]/.test(line));

describe('the GitHub action, each script run by bash', () => {
  test('a review shows what a change means, and asks nobody', () => {
    change(definition().replace('port: 8443', 'port: 9443'));
    const { status, summary, outputs } = github({});
    expect(status, summary).toBe(0);
    expect(summary).toMatch(/^\| bundle \| passed \|$/m);
    expect(summary).toMatch(/^## Cluster try: \d+ files of the bundle change$/m);
    expect(summary).toContain('9443');
    expect(outputs).toBe('');
    expect(readFileSync(join(runner, 'npm.log'), 'utf8')).toBe('ci --ignore-scripts\n');
  });

  test('a definition with a problem fails as check does, and the page says where', () => {
    writeFileSync(
      join(project, 'cluster.yml'),
      definition().replace('port: 9443', 'prot: 9443').replace('port: 8443', 'prot: 8443'),
    );
    const { status, summary } = github({});
    git('checkout', '--quiet', 'cluster.yml');
    expect(status).toBe(3);
    expect(summary).toMatch(
      /### definition: failed\n\n```text\nthe definition has \d+ problems?\ncluster.yml:\d+:\d+/,
    );
  });

  test('a bundle that was edited by hand fails as render --check does', () => {
    appendFileSync(join(project, 'playbooks/try/haproxy.yml'), '# by hand\n');
    const edited = github({});
    git('checkout', '--quiet', 'playbooks');
    expect(edited.status).toBe(4);
    expect(edited.summary).toContain('-# by hand');
  });

  test('values of a stranger stay words', () => {
    const { status } = github({ file: '$(touch hurt); `touch hurt`.yml', against: '"; touch hurt; "' });
    expect(status).toBe(6);
    expect(existsSync(join(project, 'hurt'))).toBe(false);
  });

  test('the plan is made with the key that an agent holds, and its id applies that plan alone', async () => {
    const before = agents();
    const planned = github({ plan: 'true', 'ssh-key': key() });
    expect(planned.status, planned.log).toBe(0);
    expect(planned.summary).toMatch(/^1\. `instantiate`$/m);
    const [, id = ''] = /^plan=([0-9a-f]{12})\n$/.exec(planned.outputs) ?? [];
    expect(id).not.toBe('');
    await allApplied(files, { file: 'cluster.yml', output: 'playbooks' }, quietWorld(project));
    const stale = github({ command: 'apply', plan: id, 'ssh-key': key() });
    expect(stale.status, stale.log).toBe(17);
    const nothing = github({ plan: 'true', 'ssh-key': key() });
    const now = /^plan=(\w+)\n$/.exec(nothing.outputs)?.[1] ?? '';
    const applied = github({ command: 'apply', plan: now, confirm: '', 'ssh-key': key() });
    expect(applied.status, applied.log).toBe(0);
    await expect.poll(agents).toEqual(before);
  });

  test('without a key nothing is planned, the page says why, and the agent ends all the same', async () => {
    const before = agents();
    const refused = github({ plan: 'true' });
    expect(refused.status, refused.log).toBe(11);
    expect(refused.summary).toMatch(/^\| plan \| \*\*failed\*\* \|$/m);
    expect(github({ plan: 'true', 'ssh-key': 'no key' }).status).not.toBe(0);
    await expect.poll(agents).toEqual(before);
  });

  test('ansible-lint is content with what is rendered', () => {
    const { status, summary } = github({ lint: 'true' });
    expect(status, summary).toBe(0);
    expect(summary).toMatch(/^\| ansible-lint \| passed \|$/m);
  });
});

describe('the jobs for GitLab, each script run by bash', () => {
  const job = (
    name: string,
    variables: Readonly<Record<string, string>> = {},
  ): { status: number; log: string } => {
    const found = jobsWith()[name];
    if (found === undefined) throw new Error(`there is no job ${name}`);
    const script = join(runner, 'job.sh');
    writeFileSync(script, [...found.before_script, ...found.script].join('\n'));
    const own = Object.fromEntries(
      Object.entries(found.variables).map(([word, text]) => [word, String(text)]),
    );
    const env = { HOME: join(runner, 'home'), PATH: path, CI_PROJECT_DIR: project, ...own, ...variables };
    // An agent of a job ends with its container; here with its script.
    const ended = `trap '[ -z "\${SSH_AGENT_PID:-}" ] || kill "$SSH_AGENT_PID"' EXIT; . ${script}`;
    const ran = spawnSync('bash', ['-eo', 'pipefail', '-c', ended], { cwd: project, encoding: 'utf8', env });
    return { status: ran.status ?? 255, log: ran.stdout + ran.stderr };
  };
  const page = (): string => readFileSync(join(project, 'playsmith-review.md'), 'utf8');

  test('a review of a merge request', () => {
    const base = git('rev-parse', 'HEAD^1').trim();
    const { status, log } = job('playsmith-review', { CI_MERGE_REQUEST_DIFF_BASE_SHA: base });
    expect(status, log).toBe(0);
    expect(page()).toMatch(/^## Cluster try: \d+ files/m);
  });

  test('a plan, whose id the job that applies it gets', () => {
    const file = { PLAYSMITH_SSH_KEY: sshd.privateKey };
    const planned = job('playsmith-plan', file);
    expect(planned.status, planned.log).toBe(0);
    const [, id = ''] =
      /^PLAYSMITH_PLAN=(\w+)\n$/.exec(readFileSync(join(project, 'playsmith.env'), 'utf8')) ?? [];
    expect(id).toMatch(/^[0-9a-f]{12}$/);
    const applied = job('playsmith-apply', { ...file, PLAYSMITH_PLAN: id });
    expect(applied.status, applied.log).toBe(0);
    expect(job('playsmith-apply', { ...file, PLAYSMITH_PLAN: 'another' }).status).toBe(17);
  });
});

test('shellcheck finds nothing in any script of the pipelines', () => {
  const scripts = [
    ...action.runs.steps.map(({ name, run }) => [name, run] as const),
    ...Object.entries(jobsWith()).map(
      ([name, { before_script, script }]) => [name, [...before_script, ...script].join('\n')] as const,
    ),
  ];
  for (const [name, text] of scripts) {
    const { status, stdout } = spawnSync(join(pythonTools(), 'shellcheck'), ['--shell', 'bash', '-'], {
      input: text,
      encoding: 'utf8',
    });
    expect({ name, status, stdout }).toEqual({ name, status: 0, stdout: '' });
  }
});
