import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pack } from '../../../generators/bundle.ts';
import { dataFile } from '../../../generators/data-file.ts';
import { mirrorPath } from '../../../generators/phases/openstack-ansible/mirror.ts';
import { render } from '../../../generators/render.ts';
import { clusterOf, definition } from '../../generators/openstack-ansible/support.ts';
import { serverFolder } from '../../support/server/ansible-server.ts';
import { pythonTools } from '../../support/python-tools.ts';
import { aptWith, crateIndex, filesIn, pythonIndex } from './publishers.ts';
import { startGit, type GitServer } from '../../support/server/git-server.ts';
import { templates } from '../../support/definitions/templates.ts';

/** What the playbook reads of a deploy host that OpenStack-Ansible's bootstrap was run on. */
const deployHost = {
  'scripts/bootstrap-ansible.sh': 'export ANSIBLE_PACKAGE=${ANSIBLE_PACKAGE:-"one==1.0"}\n',
  'requirements.txt': 'one\n',
  'global-requirement-pins.txt': 'two==2.0\n',
  'inventory/group_vars/all/source_git.yml': 'requirements_git_install_branch: c0ffee\n',
  'inventory/group_vars/magnum_all/source_git.yml': 'magnum_git_install_branch: v1.0.0\n',
  'roles/os_magnum/defaults/main.yml': 'magnum_pip_packages:\n  - two\n',
  'roles/os_magnum/vars/debian.yml': 'magnum_distro_packages:\n  - small\n',
};

let root: string;
let bundle: string;
let server: GitServer;

const program = (file: string, ...words: readonly string[]) =>
  promisify(execFile)('sh', ['-c', 'umask 077; exec "$0" "$@"', file, ...words], {
    cwd: bundle,
    env: {
      ...process.env,
      ...{ ANSIBLE_NOCOLOR: '1', APT_CONFIG: join(root, 'apt/apt.conf') },
      ...{ PIP_INDEX_URL: `${server.web}/pip`, PIP_NO_CACHE_DIR: '1', PIP_CONFIG_FILE: '/dev/null' },
      ...{ PIP_FIND_LINKS: '', PIP_EXTRA_INDEX_URL: '' },
    },
  });

interface Ended {
  readonly said: string;
  readonly changed: number;
  readonly failed: number;
}

/** A run of the playbook that is in the bundle. */
async function run(...words: readonly string[]): Promise<Ended> {
  const { stdout } = await program('ansible-playbook', 'osa-mirror.yml', ...words).catch(
    (error: unknown) => error as { readonly stdout: string },
  );
  const [, changed = '', failed = ''] = /changed=(\d+) .*failed=(\d+)/.exec(stdout) ?? [];
  return { said: stdout, changed: Number(changed), failed: Number(failed) };
}

beforeAll(async () => {
  root = serverFolder();
  bundle = join(root, 'bundle');
  server = await startGit(root);
  const mirrors = `offline: { registry: r.example.org/osa, files: ${server.web}, git: ${server.web}, gitPush: ${root}/git,
  cargo: ${server.web}/crates, python: ${server.web}/python, packages: ${server.web}/packages }\n`;
  const cluster = clusterOf(definition() + mirrors);
  const folder = join(root, 'git/published');
  const { lock } = crateIndex(join(root, 'git/index'), `${server.web}/index`);
  const project = '[project]\nname = "magnum"\ndependencies = ["one"]\n';
  filesIn(folder, { kubeadm: 'a program', 'Cargo.lock': lock, 'pyproject.toml': project });
  filesIn(join(root, 'git/constraints'), { c0ffee: 'one==1.0\n' });
  filesIn(join(root, 'checkout'), deployHost);
  pythonIndex(join(root, 'git/pip'), { one: '1.0', two: '2.0', setuptools: '1.0', wheel: '1.0' });
  aptWith(join(root, 'apt'), 'small');
  await promisify(execFile)('git', ['init', '--quiet', '--initial-branch=trunk', folder]);
  for (const words of [
    ['add', '.'],
    ['commit', '--quiet', '--message', 'One'],
    ['tag', 'v1.0.0'],
  ])
    await promisify(execFile)('git', [
      ...['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.org'],
      ...words,
    ]);
  // What publishers have is not to be had here, so the list names others; all else is the bundle as it is.
  const list = dataFile('cloud-a', mirrorPath, {
    why: 'a test',
    data: {
      ...{ registry: 'r.example.org/osa', directory: join(root, 'files'), cache: join(root, 'cache') },
      files: [{ url: `${server.web}/published/kubeadm`, path: 'published/kubeadm', sha256: '', sums: '' }],
      ...{ kubernetes: [], charts: [], images: [] },
      release: { checkout: join(root, 'checkout'), roles: join(root, 'checkout/roles') },
      constraints: { source: `${server.web}/constraints`, path: 'constraints' },
      crates: {
        repository: folder,
        version: 'v1.0.0',
        publisher: `${server.web}/index`,
        directory: join(root, 'files/crates'),
        url: `${server.web}/crates`,
      },
      python: {
        directory: join(root, 'files/python'),
        url: `${server.web}/python`,
        interpreter: join(pythonTools(), 'python'),
        ansible: [`--requirement=${root}/checkout/requirements.txt`],
        control_plane: ['two'],
        magnum: ['two'],
        magnum_source: `file://${folder}`,
      },
      packages: {
        directory: join(root, 'files/packages'),
        roles: [join(root, 'checkout/roles')],
        names: [],
        backports: [],
      },
      repositories: [
        {
          source: `${server.git}/git/published`,
          target: `${server.web}/x/published`,
          push: join(root, 'git/x/published'),
          pins: ['v1.0.0'],
        },
      ],
    },
  });
  for (const { path, text } of [...pack(cluster, render(cluster, templates)).files, list]) {
    mkdirSync(dirname(join(bundle, path)), { recursive: true });
    writeFileSync(join(bundle, path), text);
  }
});

afterAll(() => {
  server.stop();
  rmSync(root, { recursive: true, force: true });
});

const kinds = [
  'one-1.0-py3-none-any.whl',
  'two-2.0-py3-none-any.whl',
  'crate small 1.0.0',
  'small_1.0_all.deb',
];

test('the playbook says in check mode what it would copy, copies it, and a second time changes nothing', async () => {
  const said = ['file published/kubeadm', 'file constraints/c0ffee', `git ${root}/git/x/published`, ...kinds];
  const tried = await run('--check');
  expect(tried, tried.said).toMatchObject({ changed: 5, failed: 0 });
  for (const each of said) expect(tried.said).toContain(each);
  expect(existsSync(join(root, 'git/x'))).toBe(false);
  expect(readdirSync(join(root, 'files'))).toEqual(['.lock']);
  const copied = await run();
  expect(copied, copied.said).toMatchObject({ changed: 5, failed: 0 });
  for (const each of said) expect(copied.said).toContain(each);
  const files = execFileSync('find', [join(root, 'files'), '-type', 'f', '-not', '-name', '.lock'], {
    encoding: 'utf8',
  });
  expect(
    files
      .split('\n')
      .map((path) => path.slice(root.length + 7).replace(/bookworm|trixie|noble/, 'SUITE'))
      .sort(),
  ).toEqual(
    expect.arrayContaining([
      'constraints/c0ffee',
      'crates/config.json',
      'crates/crates/small-1.0.0.crate',
      'crates/sm/al/small',
      'packages/dists/SUITE/Release',
      'packages/pool/small_1.0_all.deb',
      'published/kubeadm',
      'python/index.html',
      'python/one/one-1.0-py3-none-any.whl',
      'python/two/index.html',
    ]),
  );
  // Root's files may be root's alone; a web server reads these.
  const hidden = ['-not', '-perm', '-o=r', '-not', '-name', '.lock'];
  const found = execFileSync('find', [join(root, 'files'), join(root, 'git/x'), ...hidden], {
    encoding: 'utf8',
  });
  expect(found).toBe('');
  const again = await run();
  expect(again, again.said).toMatchObject({ changed: 0, failed: 0 });
});

test('what cannot be had ends it with every reason, after the rest was copied', async () => {
  rmSync(join(root, 'git/x/published'), { recursive: true });
  rmSync(join(root, 'git/published/kubeadm'));
  rmSync(join(root, 'files/published/kubeadm'));
  rmSync(join(root, 'git/pip/two'), { recursive: true });
  rmSync(join(root, 'git/index/sm'), { recursive: true });
  const ended = await run();
  expect(ended, ended.said).toMatchObject({ changed: 1, failed: 1 });
  const said = ended.said.replaceAll(/\s+/g, ' ');
  for (const each of [
    `${server.web}/published/kubeadm: HTTP Error 404`,
    `crate small: ${server.web}/index/sm/al/small: HTTP Error 404`,
    'Python packages of the control plane: ERROR: Could not find a version that satisfies the requirement two',
  ])
    expect(said).toContain(each);
  expect(existsSync(join(root, 'git/x/published/HEAD'))).toBe(true);
});
