import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { packageRoot, version } from '../../../library/package.ts';
import { contents } from '../../support/server/ansible-server.ts';

const scratch = mkdtempSync(join(tmpdir(), 'playsmith-release-'));
const release = join(scratch, 'release');
const file = join(release, `playsmith-${version}-${process.platform}-${process.arch}`);
const home = join(scratch, 'home');
const unpackedIn = join(home, '.cache/playsmith/single-file');

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the file where nothing else can be found: no Node.js, no npm, no shell. */
const alone = (words: readonly string[], { program = file, shell = '', cache = '' } = {}): Ended =>
  spawnSync(program, words, {
    cwd: scratch,
    encoding: 'utf8',
    timeout: 60_000,
    env: {
      ...{ HOME: home, PATH: '' },
      ...(shell === '' ? {} : { SHELL: shell }),
      ...(cache === '' ? {} : { PLAYSMITH_CACHE: cache }),
    },
  });

const unpacked = (): string => {
  const [folder = ''] = readdirSync(unpackedIn);
  return join(unpackedIn, folder);
};

const below = (folder: string): ReadonlyMap<string, string> =>
  new Map([...contents(folder)].map(([path, text]) => [relative(folder, path), text]));

beforeAll(() => {
  const made = spawnSync(process.execPath, ['scripts/release.mjs', '--no-image', '--output', release], {
    cwd: packageRoot,
    encoding: 'utf8',
  });
  expect({ status: made.status, stderr: made.stderr }).toMatchObject({ status: 0 });
});

afterAll(() => {
  rmSync(scratch, { recursive: true });
});

describe('a release', () => {
  test('has the npm package, the single file, and checksums that sha256sum reads', () => {
    expect(readdirSync(release)).toEqual([
      'SHA256SUMS',
      'completions',
      `playsmith-${version}-${process.platform}-${process.arch}`,
      `playsmith-${version}.tgz`,
      'playsmith.1',
    ]);
    const checked = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release });
    expect(checked.status).toBe(0);
  });
});

describe('the single file, where nothing else is', () => {
  test('makes a definition, checks it, and tells commands as they are typed with it', () => {
    const made = alone(['init', 'edge-a', '--profile', 'ha-stacked', '--vip', '192.0.2.80/24']);
    expect(made).toMatchObject({ status: 0, stdout: '' });
    expect(made.stderr).toContain('then run playsmith check');
    expect(made.stderr).not.toContain('Warning');
    const text = readFileSync(join(scratch, 'cluster.yml'), 'utf8');
    expect(text).toContain('$schema=cluster.schema.json');
    expect(text).toContain('playsmith render');
    expect(text).not.toContain('npx');
    expect(alone(['check']).stdout + alone(['check']).stderr).toContain('no problems');
    expect(alone(['rendr']).stderr).toMatch(/there is no task rendr[^]*Next: playsmith --help/);
  });

  test('renders what the repository has, byte for byte', () => {
    const definition = join(scratch, 'ha-stacked.yml');
    cpSync(join(packageRoot, 'examples/ha-stacked.yml'), definition);
    expect(alone(['render', '--quiet', '--file', definition])).toMatchObject({ status: 0, stderr: '' });
    expect(below(join(scratch, 'playbooks/ha-stacked'))).toEqual(
      below(join(packageRoot, 'playbooks/ha-stacked')),
    );
  });

  test('shows help and topics, also by a name that leads to it, and proposes words', () => {
    const link = join(scratch, 'task');
    symlinkSync(file, link);
    expect(alone(['--help'], { program: link }).stdout).toContain('Usage: playsmith <task>');
    expect(alone(['help', 'render']).stdout).toContain('playsmith render');
    expect(alone(['help', 'review']).stdout).toContain('`playsmith render`');
    expect(alone(['--version']).stdout.trim()).toBe(version);
    expect(alone(['completion'], { shell: '/bin/bash' }).stdout).toMatch(/complete .* playsmith$/m);
    expect(alone(['--get-yargs-completions', 'playsmith', 'rend']).stdout.trim()).toBe('render');
  });
});

describe('what it unpacks', () => {
  beforeEach(() => {
    rmSync(unpackedIn, { recursive: true, force: true });
    alone(['--help']);
  });

  test('is for its user alone, and nothing is left beside it', () => {
    expect(readdirSync(unpackedIn)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    const modes = readdirSync(unpackedIn, { recursive: true, encoding: 'utf8' }).map(
      (path) => statSync(join(unpackedIn, path)).mode & 0o777,
    );
    expect([...new Set(modes)].filter((mode) => ![0o600, 0o700].includes(mode))).toEqual([]);
  });

  test('is brought again where a file lacks or was cut short', () => {
    rmSync(join(unpacked(), 'dist/tasks/cli.js'));
    expect(alone(['--help']).stdout).toContain('Usage: playsmith');
    writeFileSync(join(unpacked(), 'dist/tasks.json'), '');
    expect(alone(['help', 'render'])).toMatchObject({ status: 0 });
    expect(readdirSync(unpackedIn)).toHaveLength(1);
  });

  test('is not used where others could write to it', () => {
    chmodSync(unpacked(), 0o777);
    const refused = alone(['--help']);
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain('others may write to it');
  });

  test('is told where it cannot be, and what to do', () => {
    const refused = alone(['--help'], { cache: '/proc/playsmith' });
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(/Error: this file cannot unpack itself: .*\/proc\/playsmith.*\nNext: .*PLAYSMITH_CACHE/);
  });

  test('is there once when many start at the same time', () => {
    rmSync(unpackedIn, { recursive: true });
    const started = spawnSync(
      '/bin/sh',
      ['-c', 'for each in 1 2 3 4; do "$0" --version & done; wait', file],
      { encoding: 'utf8', env: { HOME: home, PATH: '' } },
    );
    expect(started.stdout.trim().split('\n')).toEqual([version, version, version, version]);
    expect(readdirSync(unpackedIn)).toHaveLength(1);
  });
});
