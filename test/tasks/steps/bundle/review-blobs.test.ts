import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { review } from '../../../../tasks/steps/bundle/review.ts';
import { write } from '../../../../tasks/steps/bundle/write.ts';

let root: string;
let checkout: string;
const bundleOf = (text: string) => ({
  cluster: 'c',
  digest: 'd',
  files: [
    { path: 'a.yml', text, mode: '0644' as const },
    { path: 'manifest.json', text: '{"files":[{"path":"a.yml"}]}', mode: '0644' as const },
  ],
});
const committed = bundleOf('a\n');
const changed = bundleOf('b\n');

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'playsmith-review-'));
  checkout = join(root, 'checkout');
  await mkdir(checkout);
  git('init', '--quiet', '--initial-branch=main');
  await define('required');
  await write(committed, folder());
  commit();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

const git = (...words: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
    cwd: checkout,
    encoding: 'utf8',
  });

const commit = (): void => {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
};

const folder = (): string => join(checkout, 'playbooks/c');

const define = (asked: string, file = 'cluster.yml'): Promise<void> =>
  writeFile(join(checkout, file), `kind: Cluster\nmetadata: { name: c }\nreview: ${asked}\n`);

const reviewed = (bundle = changed, required = true, definition = 'cluster.yml') =>
  review(bundle, {
    folder: folder(),
    definition: join(checkout, definition),
    asked: required ? 'required' : 'optional',
  });

const refusedFor = (path: string) => ({
  ok: false,
  failure: { kind: 'review', paths: expect.arrayContaining([expect.stringContaining(path)]) as string[] },
});

describe('where review is required, what the commit does not hold is refused', () => {
  test.each(['--assume-unchanged', '--skip-worktree'])('also where the index says %s', async (bit) => {
    git('update-index', bit, 'playbooks/c/a.yml', 'cluster.yml');
    await write(changed, folder());
    await appendFile(join(checkout, 'cluster.yml'), '# other\n');
    expect(await reviewed()).toMatchObject(refusedFor('playbooks/c/a.yml'));
    expect(await reviewed()).toMatchObject(refusedFor('cluster.yml'));
    expect(await reviewed(changed, false)).toMatchObject(refusedFor('cluster.yml'));
  });

  test('also where it was added to the index and not committed', async () => {
    await write(changed, folder());
    git('add', '--all');
    expect(await reviewed()).toMatchObject(refusedFor('playbooks/c/a.yml'));
  });

  test('also where a clean filter shows git the old bytes', async () => {
    git('config', 'filter.old.clean', 'git show HEAD:%f');
    await mkdir(join(checkout, '.git/info'), { recursive: true });
    await writeFile(join(checkout, '.git/info/attributes'), '* filter=old\n');
    await write(changed, folder());
    expect(git('status', '--porcelain')).toBe('');
    expect(await reviewed()).toMatchObject(refusedFor('playbooks/c/a.yml'));
  });

  test('also where what git compares is replaced by another object', async () => {
    const before = git('rev-parse', 'HEAD').trim();
    await write(changed, folder());
    commit();
    git('replace', before, git('rev-parse', 'HEAD').trim());
    git('update-ref', 'refs/heads/main', before);
    expect(await reviewed()).toMatchObject(refusedFor('playbooks/c/a.yml'));
  });

  test('also where a committed link leads out of the checkout', async () => {
    const elsewhere = join(root, 'elsewhere');
    await rename(join(checkout, 'playbooks'), elsewhere);
    await symlink(elsewhere, join(checkout, 'playbooks'));
    commit();
    await write(changed, folder());
    expect(git('status', '--porcelain')).toBe('');
    expect(await reviewed()).toMatchObject(refusedFor('outside of the checkout'));
  });

  test('also where the definition is such a link', async () => {
    await rename(join(checkout, 'cluster.yml'), join(root, 'other.yml'));
    await symlink(join(root, 'other.yml'), join(checkout, 'cluster.yml'));
    commit();
    expect(await reviewed(committed)).toMatchObject(refusedFor('cluster.yml: it is a symbolic link'));
  });

  test('also where the environment names another repository', async () => {
    const other = join(root, 'other');
    execFileSync('git', ['clone', '--quiet', checkout, other]);
    const head = git('rev-parse', 'HEAD').trim();
    await write(changed, folder());
    const clean = git('rev-parse', '--git-dir').trim();
    expect(clean).toBe('.git');
    vi.stubEnv('GIT_DIR', join(other, '.git'));
    vi.stubEnv('GIT_WORK_TREE', other);
    vi.stubEnv('GIT_INDEX_FILE', join(other, '.git/index'));
    vi.stubEnv('GIT_OBJECT_DIRECTORY', join(other, '.git/objects'));
    expect(await reviewed()).toMatchObject(refusedFor('playbooks/c/a.yml'));
    await write(committed, folder());
    expect(await reviewed(committed)).toEqual({ ok: true, value: { commit: head, dirty: false } });
  });
});

describe('that review is required', () => {
  test('stands when the working copy of the definition says otherwise', async () => {
    await define('optional');
    expect(await reviewed(committed, false)).toMatchObject(refusedFor('cluster.yml'));
  });

  test('stands when a copy of the definition that nobody committed says otherwise', async () => {
    await define('optional', 'mine.yaml');
    expect(await reviewed(committed, false, 'mine.yaml')).toMatchObject(refusedFor('mine.yaml'));
  });

  test('is said by the definition itself, not by a comment or by the definition of another cluster', async () => {
    await writeFile(join(checkout, 'cluster.yml'), 'metadata: { name: c }\n# review: required\n');
    await writeFile(join(checkout, 'other.yml'), 'metadata: { name: d }\nreview: required\n');
    commit();
    await appendFile(join(checkout, 'cluster.yml'), '# other\n');
    expect(await reviewed(committed, false)).toMatchObject({ ok: true, value: { dirty: true } });
  });
});

test('a checkout whose objects are named by SHA-256 is compared as well', async () => {
  await rm(join(checkout, '.git'), { recursive: true });
  git('init', '--quiet', '--object-format=sha256');
  commit();
  expect(await reviewed(committed)).toMatchObject({ ok: true, value: { dirty: false } });
  await write(changed, folder());
  expect(await reviewed()).toMatchObject(refusedFor('playbooks/c/a.yml'));
});

test('a checkout that is reached over a link, in a folder below its root, is compared as well', async () => {
  const below = join(checkout, 'sites/é');
  await mkdir(below, { recursive: true });
  await define('required', 'sites/é/cluster.yml');
  await write(committed, join(below, 'playbooks/c'));
  commit();
  await symlink(checkout, join(root, 'link'));
  const place = join(root, 'link/sites/é');
  const asked = {
    folder: join(place, 'playbooks/c'),
    definition: join(place, 'cluster.yml'),
    asked: 'required',
  };
  expect(await review(committed, asked)).toMatchObject({ ok: true, value: { dirty: false } });
});
