import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definitionOf } from '../bench/definition.ts';

// What a command loads is what a person waits for; how long that takes is for `npm run bench` to say.
const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'playsmith-loaded-'));
const hook = `
  import { appendFileSync } from 'node:fs';
  export const load = (url, context, next) => {
    if (url.startsWith('file:')) appendFileSync(process.env.PLAYSMITH_LOADED, url + '\\n');
    return next(url, context);
  };`;
const asModule = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;
const probe = asModule(
  `import { register } from 'node:module'; register(${JSON.stringify(asModule(hook))});`,
);

beforeAll(() => {
  writeFileSync(join(folder, 'cluster.yml'), definitionOf(3));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Loaded {
  /** Our own modules, by their paths in the repository. */
  readonly own: readonly string[];
  /** Packages, whether they are part of our files or not. */
  readonly packages: readonly string[];
}

/** What a command line loads: the files that Node.js opens, and what the build put together in them. */
function loadedBy(...words: readonly string[]): Loaded {
  const list = join(folder, 'loaded');
  rmSync(list, { force: true });
  const argv = ['--import', probe, join(root, 'dist/tasks/cli.js'), ...words];
  execFileSync(process.execPath, argv, {
    cwd: folder,
    env: { ...process.env, PLAYSMITH_LOADED: list },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const files = readFileSync(list, 'utf8')
    .trim()
    .split('\n')
    .map((url) => fileURLToPath(url));
  const parts = [...new Set(files.flatMap(partsOf))].sort();
  const packages = parts.flatMap((part) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(part)?.[1] ?? []);
  return {
    own: parts.filter((part) => !part.includes('node_modules/')),
    packages: [...new Set(packages)],
  };
}

function partsOf(file: string): readonly string[] {
  if (!file.startsWith(join(root, 'dist'))) return [relative(root, file)];
  const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as {
    readonly sources: readonly string[];
  };
  return sources.map((source) => relative(root, join(dirname(file), source)));
}

/** Each brings a connection, another program, or texts of playbooks. */
const heavy = [
  'ansible-vault',
  'diff',
  'handlebars',
  'js-yaml',
  'ssh2',
  'ssh2-sftp-client',
  'tar-stream',
  'undici',
  'zx',
];
const overviewOfTasks = /^(?:tasks\/(?:overview\/|runtime\/|[a-z-]+\.ts$)|library\/package\.ts$)/;

describe('what a command loads', () => {
  test('help of all tasks: its own texts', () => {
    const { own, packages } = loadedBy('--help');
    expect(packages).toEqual([]);
    expect(
      own.filter((file) => !/^tasks\/(?:cli|overview\/.*|runtime\/(?:c[a-z-]+|folders))\.ts$/.test(file)),
    ).toEqual([]);
    expect(own.length).toBeLessThan(10);
  });

  test.each([
    ['a task', ['ren']],
    ['an option', ['run', '--che']],
  ])('completion of %s: no package, and no task', (_, words) => {
    const { own, packages } = loadedBy('--get-yargs-completions', 'task', ...words);
    expect(packages).toEqual([]);
    expect(own.filter((file) => !overviewOfTasks.test(file))).toEqual([]);
  });

  test('help of one task: what reads a command line, and no task', () => {
    const { own, packages } = loadedBy('run', '--help');
    expect(packages).toContain('yargs');
    expect(packages.filter((name) => ['yaml', 'zod', ...heavy].includes(name))).toEqual([]);
    expect(own.filter((file) => !overviewOfTasks.test(file))).toEqual(['generators/source/nearest.ts']);
  });

  test('check: what reads a definition, and nothing that connects, compares or asks another program', () => {
    const { own, packages } = loadedBy('check');
    const texts = ['handlebars', 'js-yaml'];
    expect(packages.filter((name) => heavy.includes(name) && !texts.includes(name))).toEqual([]);
    expect(
      own.filter((file) => /^tasks\/(?:runtime\/(?:ssh|agent|secrets)|apply|artifacts|drift)\//.test(file)),
    ).toEqual([]);
  });
});
