import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KubespraySource } from '../../../generators/cluster/kubespray.ts';
import { render } from '../../../generators/render.ts';
import { bundleFolder } from '../../support/definitions/bundle-folder.ts';
import { commitAll, git, kubesprayExample } from '../../support/definitions/kubespray.ts';
import { sha256 } from '../../support/server/publishers.ts';
import { templates } from '../../support/definitions/templates.ts';

/** A real repository, real clones of it, and a real archive; what is called in them is a stand-in with kubespray's entry points. */
const home = mkdtempSync(join(tmpdir(), 'playsmith-checkout-'));
const upstream = join(home, 'upstream');
const tree = join(home, 'tree');
const archive = join(home, 'kubespray.tar.gz');
let named: { readonly commit: string; readonly tree: string };

beforeAll(() => {
  cpSync(join(import.meta.dirname, '../../lab/kubespray-tree'), upstream, { recursive: true });
  mkdirSync(join(upstream, 'inventory/sample'), { recursive: true });
  writeFileSync(join(upstream, 'inventory/sample/hosts.ini'), '');
  writeFileSync(join(upstream, '.gitignore'), '*.pyc\n/library/\n');
  symlinkSync('cluster.yml', join(upstream, 'install.yml'));
  named = commitAll(upstream);
  git(upstream, 'tag', 'v2.28.1');
  execFileSync('git', [
    ...['-C', upstream, 'archive', '--format=tar.gz', '--prefix=kubespray-2.28.1/'],
    ...['--output', archive, 'HEAD'],
  ]);
  const venv = join(home, 'venv/bin');
  mkdirSync(venv, { recursive: true });
  const found = spawnSync('sh', ['-c', 'command -v ansible-playbook'], { encoding: 'utf8' }).stdout.trim();
  symlinkSync(found, join(venv, 'ansible-playbook'));
});
beforeEach(() => {
  rmSync(tree, { recursive: true, force: true });
  execFileSync('git', ['clone', '--quiet', upstream, tree]);
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

function call(source: KubespraySource, variables: Readonly<Record<string, unknown>> = {}) {
  const bundle = bundleFolder(
    render(
      {
        ...kubesprayExample,
        ansibleServer: { ...kubesprayExample.ansibleServer, directory: join(home, 'playsmith') },
        kubespray: { ...kubesprayExample.kubespray, tree, source, venv: join(home, 'venv') },
      },
      templates,
    ),
  );
  const told = {
    ...{ ansible_connection: 'local', ansible_python_interpreter: '/usr/bin/python3', ansible_become: false },
    ...{ stand_in_folder: home, ...variables },
  };
  const file = join(bundle, 'files/kubespray/run.py');
  return spawnSync('/usr/bin/python3', [file, 'facts', '--variables', JSON.stringify(told)], {
    encoding: 'utf8',
    input: '{}',
    env: { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8' },
  });
}

const byCommit = (): KubespraySource => ({ kind: 'path', commit: named.commit, tree: '' });
const byTree = (): KubespraySource => ({ kind: 'path', commit: '', tree: named.tree });
const byArchive = (): KubespraySource => ({
  kind: 'archive',
  path: archive,
  sha256: sha256(readFileSync(archive)),
});

const wrong: Readonly<Record<string, readonly [what: () => void, seen: string]>> = {
  'a playbook that was edited': [
    () => {
      appendFileSync(join(tree, 'cluster.yml'), '# by hand\n');
    },
    'changed: cluster.yml',
  ],
  'an edit that git is told to look away from': [
    () => {
      git(tree, 'update-index', '--assume-unchanged', 'cluster.yml', 'scale.yml');
      git(tree, 'update-index', '--skip-worktree', 'scale.yml');
      appendFileSync(join(tree, 'scale.yml'), '# by hand\n');
    },
    'changed: scale.yml',
  ],
  'an edit that a filter of git hides': [
    () => {
      git(tree, 'config', 'filter.hide.clean', 'git show HEAD:%f');
      writeFileSync(join(tree, '.git/info/attributes'), '* filter=hide\n');
      appendFileSync(join(tree, 'reset.yml'), '# by hand\n');
    },
    'changed: reset.yml',
  ],
  'an edit that was committed there': [
    () => {
      appendFileSync(join(tree, 'cluster.yml'), '# by hand\n');
      git(tree, 'commit', '--quiet', '--all', '--message', 'By hand');
      git(tree, 'tag', '--force', 'v2.28.1');
    },
    'changed: cluster.yml',
  ],
  'a commit that stands in for another one': [
    () => {
      appendFileSync(join(tree, 'cluster.yml'), '# by hand\n');
      git(tree, 'commit', '--quiet', '--all', '--message', 'By hand');
      git(tree, 'replace', named.commit, git(tree, 'rev-parse', 'HEAD'));
    },
    'changed: cluster.yml',
  ],
  'a plugin that git ignores': [
    () => {
      mkdirSync(join(tree, 'library'));
      writeFileSync(join(tree, 'library/command.py'), '');
    },
    'added: library/command.py',
  ],
  'compiled Python, which is read before its source': [
    () => {
      mkdirSync(join(tree, 'playbooks/__pycache__'));
      writeFileSync(join(tree, 'playbooks/__pycache__/x.cpython-311.pyc'), '');
    },
    'added: playbooks/__pycache__/x.cpython-311.pyc',
  ],
  'a file that is missing': [
    () => {
      rmSync(join(tree, 'kubectl.py'));
    },
    'missing: kubectl.py',
  ],
  'a link that points elsewhere': [
    () => {
      rmSync(join(tree, 'cluster.yml'));
      symlinkSync('/tmp/cluster.yml', join(tree, 'cluster.yml'));
    },
    'changed: cluster.yml',
  ],
  'a program that became one': [
    () => {
      chmodSync(join(tree, 'galaxy.yml'), 0o755);
    },
    'another mode: galaxy.yml',
  ],
};

describe('the files of kubespray', () => {
  test.each([
    ['a commit', byCommit, 'commit '],
    ['a tree', byTree, 'tree '],
    ['an archive', byArchive, 'kubespray.tar.gz'],
  ] as const)('are those of %s, or kubespray is not called', (_, source, named_) => {
    const done = call(source());
    expect(done.status, done.stdout).toBe(0);
    expect(done.stdout).toContain(named_);
    expect(done.stdout).toContain(`tree ${named.tree}`);
  });

  test.each(Object.entries(wrong))('%s is refused, with its file', (_, [make, seen]) => {
    make();
    const log = join(home, 'playsmith/kept/kubespray/kubespray/called-facts');
    rmSync(log, { force: true });
    for (const source of [byCommit(), byArchive()]) {
      const done = call(source);
      expect(done.status).toBe(1);
      expect(done.stdout).toContain(`is not kubespray v2.28.1`);
      expect(done.stdout).toContain(seen);
    }
    expect(call(byTree()).stdout).toContain(`instead of ${named.tree}`);
    expect(existsSync(log)).toBe(false);
  });

  test('may have inventories of their owner beside them, which take no part', () => {
    mkdirSync(join(tree, 'inventory/mine'));
    writeFileSync(join(tree, 'inventory/mine/hosts.yml'), 'all: {}\n');
    for (const source of [byCommit(), byTree(), byArchive()]) expect(call(source).status).toBe(0);
  });

  test('are compared without their history, too, and not with that of a folder above', () => {
    rmSync(join(tree, '.git'), { recursive: true });
    expect(call(byTree()).status).toBe(0);
    expect(call(byCommit()).stdout).toContain(`it has no commit ${named.commit}`);
  });

  test('are refused where the commit, or the archive, is not to be had', () => {
    expect(call({ kind: 'path', commit: 'a'.repeat(40), tree: '' }).stdout).toContain(
      'it has no commit aaaa',
    );
    expect(call({ ...byArchive(), sha256: 'b'.repeat(64) } as KubespraySource).stdout).toContain(
      'is not the archive that the definition names',
    );
    expect(call({ kind: 'archive', path: join(home, 'gone'), sha256: 'b'.repeat(64) }).stdout).toContain(
      'cannot be read',
    );
  });
});
