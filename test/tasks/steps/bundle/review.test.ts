import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { review } from '../../../../tasks/steps/bundle/review.ts';
import { write } from '../../../../tasks/steps/bundle/write.ts';

let root: string;
const text = 'a\n';
const bundle = {
  cluster: 'c',
  digest: 'd',
  files: [
    { path: 'a.yml', text, mode: '0644' as const },
    { path: 'manifest.json', text: '{"files":[{"path":"a.yml"}]}', mode: '0644' as const },
  ],
};

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'playsmith-review-'));
  await writeFile(join(root, 'cluster.yml'), 'x\n');
});

afterEach(() => rm(root, { recursive: true }));

const git = (...words: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
    cwd: root,
    encoding: 'utf8',
  });

const reviewed = (required: boolean) =>
  review(bundle, {
    folder: join(root, 'playbooks/c'),
    definition: join(root, 'cluster.yml'),
    asked: required ? 'required' : 'optional',
  });

const commit = (): void => {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
};

describe('a bundle', () => {
  test('that is not a fresh render is refused, whether review is required or not', async () => {
    expect(await reviewed(false)).toMatchObject({ ok: false, failure: { kind: 'drift' } });
  });

  test('outside git is run where review is optional, and refused where it is required', async () => {
    await write(bundle, join(root, 'playbooks/c'));
    expect(await reviewed(false)).toEqual({ ok: true, value: { commit: '', dirty: false } });
    expect(await reviewed(true)).toMatchObject({ ok: false, failure: { kind: 'review' } });
  });

  test('that is committed passes, and the record names the commit', async () => {
    git('init', '--quiet');
    await write(bundle, join(root, 'playbooks/c'));
    commit();
    const head = git('rev-parse', 'HEAD').trim();
    expect(await reviewed(true)).toEqual({ ok: true, value: { commit: head, dirty: false } });
  });

  test('beside a changed definition is refused by name where review is required', async () => {
    git('init', '--quiet');
    await write(bundle, join(root, 'playbooks/c'));
    commit();
    await writeFile(join(root, 'cluster.yml'), 'y\n');
    expect(await reviewed(false)).toMatchObject({ ok: true, value: { dirty: true } });
    const refused = await reviewed(true);
    expect(refused).toMatchObject({ ok: false, failure: { kind: 'review' } });
    expect(JSON.stringify(refused)).toContain('cluster.yml');
  });

  test('that lies outside the checkout counts as not committed, and git says why', async () => {
    git('init', '--quiet');
    commit();
    const folder = await mkdtemp(join(tmpdir(), 'playsmith-elsewhere-'));
    await write(bundle, folder);
    const refused = await review(bundle, {
      folder,
      definition: join(root, 'cluster.yml'),
      asked: 'required',
    });
    expect(refused).toMatchObject({ ok: false, failure: { kind: 'review' } });
    expect(JSON.stringify(refused)).toContain('outside of the checkout');
    await rm(folder, { recursive: true });
  });

  test('that git ignores counts as not committed', async () => {
    git('init', '--quiet');
    await writeFile(join(root, '.gitignore'), 'playbooks\n');
    await write(bundle, join(root, 'playbooks/c'));
    commit();
    expect(await reviewed(true)).toMatchObject({ ok: false, failure: { kind: 'review' } });
  });
});
