import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { collectionFolder, packageRoot, agentFolder } from '../../tasks/runtime/package.ts';
import { ansible } from '../support/server/ansible.ts';
import { moduleNames } from '../support/collection.ts';
import { pythonTools } from '../support/python-tools.ts';

/** Above what Python and Ansible know as `ansible_collections.playsmith.host`. */
const collections = mkdtempSync(join(tmpdir(), 'playsmith-collections-'));
const playsmith = join(collections, 'ansible_collections/playsmith');
mkdirSync(playsmith, { recursive: true });
symlinkSync(collectionFolder, join(playsmith, 'host'));

/** What a tool of Python finds wrong; nothing, when all is well. */
function findings(cwd: string, program: string, ...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(join(pythonTools(), program), words, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: collections, PYTHONDONTWRITEBYTECODE: '1', NO_COLOR: '1' },
  });
  return status === 0 ? '' : `${String(status)} ${stdout}${stderr}`;
}

test('ruff finds nothing in the collection, the half on the Ansible server and scripts', () => {
  const folders = [collectionFolder, agentFolder, 'scripts'];
  expect(findings(packageRoot, 'ruff', 'check', '--quiet', '--no-cache', ...folders)).toBe('');
  expect(findings(packageRoot, 'ruff', 'format', '--check', '--quiet', '--no-cache', collectionFolder)).toBe(
    '',
  );
});

const mypy = [
  '--config-file',
  join(packageRoot, 'pyproject.toml'),
  '--cache-dir=/dev/null',
  '--no-error-summary',
];

test('mypy finds nothing in the collection', () => {
  expect(findings(collections, 'mypy', ...mypy, 'ansible_collections/playsmith/host/plugins')).toBe('');
});

test('mypy finds nothing in the half on the Ansible server', () => {
  expect(findings(agentFolder, 'mypy', ...mypy, '--package', 'playsmith')).toBe('');
});

test('the tests of the collection pass', () => {
  const folder = 'ansible_collections/playsmith/host/tests/unit';
  expect(
    findings(collections, 'pytest', '-q', '-p', 'no:cacheprovider', '--import-mode=importlib', folder),
  ).toBe('');
});

/** What ansible-doc shows of each module. */
let pages: Readonly<Record<string, Page>>;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-doc-'));
  symlinkSync(collections, join(folder, 'collections'));
  const names = moduleNames.map((name) => `playsmith.host.${name}`);
  const words = ['--playbook-dir', folder, '-t', 'module', '--json', ...names] as const;
  const { status, stdout, stderr } = ansible(folder, ['ansible-doc', ...words]);
  expect(status, stderr).toBe(0);
  pages = JSON.parse(stdout) as typeof pages;
});

test.each(moduleNames)('%s has documentation, examples and return values', (name) => {
  const page = pages[`playsmith.host.${name}`];
  expect(Object.keys(page?.doc.options ?? {}).length).toBeGreaterThan(0);
  expect(page?.examples).toContain(`playsmith.host.${name}:`);
  expect(Object.keys(page?.return ?? {}).length).toBeGreaterThan(0);
});

interface Page {
  readonly doc: { readonly options: Readonly<Record<string, unknown>> };
  readonly examples: string;
  readonly return: Readonly<Record<string, unknown>>;
}
