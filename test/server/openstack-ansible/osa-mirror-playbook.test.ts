import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pack } from '../../../generators/bundle.ts';
import { dataFile } from '../../../generators/data-file.ts';
import { mirrorPath } from '../../../generators/phases/openstack-ansible/mirror.ts';
import { render } from '../../../generators/render.ts';
import { clusterOf, definition } from '../../generators/openstack-ansible/support.ts';
import { serverFolder } from '../../support/server/ansible-server.ts';
import { startGit, type GitServer } from '../../support/server/git-server.ts';
import { templates } from '../../support/definitions/templates.ts';

let root: string;
let bundle: string;
let server: GitServer;

const program = (file: string, ...words: readonly string[]) =>
  promisify(execFile)(file, words, {
    cwd: bundle,
    env: { ...process.env, ANSIBLE_NOCOLOR: '1' },
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
  const mirrors = `offline: { registry: r.example.org/osa, files: ${server.web}, git: ${server.web}, gitPush: ${root}/git }\n`;
  const cluster = clusterOf(definition() + mirrors);
  const folder = join(root, 'git/published');
  mkdirSync(folder);
  writeFileSync(join(folder, 'kubeadm'), 'a program');
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

test('the playbook says in check mode what it would copy, copies it, and a second time changes nothing', async () => {
  const [file, repository] = ['file published/kubeadm', `git ${root}/git/x/published`];
  const tried = await run('--check');
  expect(tried, tried.said).toMatchObject({ changed: 2, failed: 0 });
  for (const each of [file, repository]) expect(tried.said).toContain(each);
  expect(existsSync(join(root, 'git/x')) || existsSync(join(root, 'files/published'))).toBe(false);
  const copied = await run();
  expect(copied, copied.said).toMatchObject({ changed: 2, failed: 0 });
  expect(existsSync(join(root, 'files/published/kubeadm'))).toBe(true);
  const again = await run();
  expect(again, again.said).toMatchObject({ changed: 0, failed: 0 });
});

test('what cannot be had ends it with the reason, after the rest was copied', async () => {
  rmSync(join(root, 'git/x/published'), { recursive: true });
  rmSync(join(root, 'git/published/kubeadm'));
  rmSync(join(root, 'files/published/kubeadm'));
  const ended = await run();
  expect(ended, ended.said).toMatchObject({ changed: 1, failed: 1 });
  expect(ended.said).toMatch(/HTTP Error 404/);
  expect(existsSync(join(root, 'git/x/published/HEAD'))).toBe(true);
});
