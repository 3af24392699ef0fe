import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'playsmith-pushed-'));
  checkout = join(root, 'checkout');
  await mkdir(checkout);
  execFileSync('git', ['init', '--quiet', '--bare', join(root, 'there.git')]);
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', join(root, 'there.git'));
  await commit('a\n', 'pushed:origin/main');
  git('push', '--quiet', 'origin', 'main');
});

afterEach(() => rm(root, { recursive: true }));

const git = (...words: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
    cwd: checkout,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

async function commit(text: string, asked: string): Promise<void> {
  await writeFile(
    join(checkout, 'cluster.yml'),
    `kind: Cluster\nmetadata: { name: c }\nreview: ${asked}\n# ${text}`,
  );
  await write(bundleOf(text), join(checkout, 'playbooks/c'));
  git('add', '--all');
  git('commit', '--quiet', '--message', text);
}

const reviewed = (text: string, asked: string) =>
  review(bundleOf(text), {
    folder: join(checkout, 'playbooks/c'),
    definition: join(checkout, 'cluster.yml'),
    asked,
  });

const refused = (message: string) => ({
  ok: false,
  failure: { kind: 'review', message: expect.stringContaining(message) as string },
});

describe('where the commit has to be on a remote branch', () => {
  test('one that is there passes, also when others were pushed after it', async () => {
    expect(await reviewed('a\n', 'pushed:origin/main')).toMatchObject({ ok: true, value: { dirty: false } });
    await commit('b\n', 'pushed:origin/main');
    git('push', '--quiet', 'origin', 'main');
    git('reset', '--quiet', '--hard', 'HEAD~1');
    git('update-ref', '-d', 'refs/remotes/origin/main');
    expect(await reviewed('a\n', 'pushed:origin/main')).toMatchObject({ ok: true });
  });

  test('one that nobody else has is refused', async () => {
    await commit('b\n', 'pushed:origin/main');
    expect(await reviewed('b\n', 'pushed:origin/main')).toMatchObject(
      refused('is not on the branch main of origin'),
    );
  });

  test('what this checkout believes of the remote counts for nothing', async () => {
    await commit('b\n', 'pushed:origin/main');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    expect(await reviewed('b\n', 'pushed:origin/main')).toMatchObject(
      refused('is not on the branch main of origin'),
    );
  });

  test('another branch of the remote is another branch', async () => {
    await commit('b\n', 'pushed:origin/main');
    git('push', '--quiet', 'origin', 'main:feature/b');
    expect(await reviewed('b\n', 'pushed:origin/main')).toMatchObject(
      refused('is not on the branch main of origin'),
    );
    expect(await reviewed('b\n', 'pushed:origin/feature/b')).toMatchObject(refused('main of origin'));
  });

  test.each(['optional', 'required'])(
    'a commit that nobody else has does not take it back: review: %s',
    async (asked) => {
      await commit('b\n', asked);
      expect(await reviewed('b\n', asked)).toMatchObject(refused('is not on the branch main of origin'));
    },
  );

  test('a remote that cannot be asked is no reason to believe', async () => {
    await rm(join(root, 'there.git'), { recursive: true });
    expect(await reviewed('a\n', 'pushed:origin/main')).toMatchObject(refused('cannot be asked'));
  });

  test('a branch that is not there holds nothing', async () => {
    expect(await reviewed('a\n', 'pushed:origin/nowhere')).toMatchObject(refused('cannot be asked'));
  });

  test('what is not committed is refused as with required', async () => {
    await writeFile(join(checkout, 'cluster.yml'), 'review: pushed:origin/main\n');
    expect(await reviewed('a\n', 'pushed:origin/main')).toMatchObject({
      ok: false,
      failure: { kind: 'review', paths: [expect.stringContaining('cluster.yml')] },
    });
  });
});
