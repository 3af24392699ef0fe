import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engine } from '../../../generators/engine.ts';
import { serverFolder } from '../../support/server/ansible-server.ts';
import { freePort, startGit, type GitServer } from '../../support/server/git-server.ts';
import { templates } from '../../support/definitions/templates.ts';

interface Repository {
  readonly source: string;
  readonly target: string;
  readonly push: string;
  readonly pins: readonly string[];
}

let root: string;
let server: GitServer;
let git: string;
let pages: string;

const program = (file: string, ...words: readonly string[]) =>
  promisify(execFile)(file, words, { env: { ...process.env, HOME: root, GIT_TERMINAL_PROMPT: '0' } });
const repository = (name: string, ...words: readonly string[]) =>
  program(
    'git',
    '-C',
    join(root, 'published', name),
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@example.org',
    ...words,
  );
const commitOf = async (place: string, name: string): Promise<string> =>
  (await program('git', 'ls-remote', place, name)).stdout.slice(0, 40);

/** A commit of its publisher, which offers it over the daemon; gives its name. */
async function publish(name: string, text: string, ...tags: readonly string[]): Promise<string> {
  const folder = join(root, 'published', name);
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    await repository(name, 'init', '--quiet', '--initial-branch=trunk');
  }
  writeFileSync(join(folder, 'galaxy.yml'), text);
  await repository(name, 'add', '.');
  await repository(name, 'commit', '--quiet', '--message', text);
  for (const tag of tags) await repository(name, 'tag', '--force', tag);
  return (await repository(name, 'rev-parse', 'HEAD')).stdout.trim();
}

const source = (name: string): string => `${git}/published/${name}`;

async function run(
  repositories: readonly Repository[],
  dry = false,
): Promise<{ copied: string[]; problems: string[] }> {
  const file = join(root, 'mirror-git.py');
  writeFileSync(file, engine(templates, 'cloud-a')('osa/mirror-git.py.hbs', {}));
  const asked = { repositories, dry, cache: join(root, 'cache') };
  const { stdout } = await program('python3', file, Buffer.from(JSON.stringify(asked)).toString('base64'));
  return JSON.parse(stdout) as { copied: string[]; problems: string[] };
}

beforeAll(async () => {
  root = serverFolder();
  server = await startGit(root);
  ({ git, web: pages } = server);
  await publish('x/first', 'one');
  for (
    let tries = 50;
    tries > 0 && (await commitOf(source('x/first'), 'HEAD').catch(() => '')) === '';
    tries -= 1
  )
    await new Promise((resolve) => setTimeout(resolve, 100));
});

afterAll(() => {
  server.stop();
  rmSync(root, { recursive: true, force: true });
});

test('a directory of the deploy host gets all branches and tags, and has what is pinned; a second time nothing', async () => {
  const pinned = await publish('x/kubernetes', 'one');
  await publish('x/kubernetes', 'two', 'v1.0.0');
  await publish('x/kubernetes', 'three');
  const push = join(root, 'git/x/kubernetes');
  const wanted = [
    { source: source('x/kubernetes'), target: `${pages}/x/kubernetes`, push, pins: [pinned, 'v1.0.0'] },
  ];
  expect(await run(wanted, true)).toEqual({ copied: [`git ${push}`], problems: [] });
  expect(existsSync(dirname(push)) || existsSync(join(root, 'cache/127.0.0.1'))).toBe(false);
  expect(await run(wanted)).toEqual({ copied: [`git ${push}`], problems: [] });
  expect(readFileSync(join(push, 'HEAD'), 'utf8')).toBe('ref: refs/heads/trunk\n');
  for (const name of ['HEAD', 'refs/tags/v1.0.0'])
    expect(await commitOf(`${pages}/x/kubernetes`, name)).toBe(await commitOf(source('x/kubernetes'), name));
  expect(await run(wanted)).toEqual({ copied: [], problems: [] });
  // As OpenStack-Ansible takes it.
  await program('git', 'clone', '--quiet', `${pages}/x/kubernetes`, join(root, 'taken'));
  await program('git', '-C', join(root, 'taken'), 'checkout', '--quiet', pinned);
  expect(readFileSync(join(root, 'taken/galaxy.yml'), 'utf8')).toBe('one');
});

test('a deploy host whose git has the mirror in the place of publishers asks publishers still', async () => {
  await publish('x/self', 'one', 'v1.0.0');
  const push = join(root, 'git/x/self');
  const wanted = [{ source: source('x/self'), target: `${pages}/x/self`, push, pins: ['v1.0.0'] }];
  const instead = `[url "${pages}/"]\n insteadOf = ${git}/published/\n`;
  writeFileSync(join(root, '.gitconfig'), instead);
  try {
    expect(await run(wanted)).toEqual({ copied: [`git ${push}`], problems: [] });
    await publish('x/self', 'two', 'v2.0.0');
    expect((await run(wanted)).copied).toEqual([`git ${push}`]);
  } finally {
    rmSync(join(root, '.gitconfig'));
  }
});

test('what is new is copied over git, and nothing else is asked for', async () => {
  const first = await publish('x/driver', 'one', 'v0.1.0');
  await program('git', 'init', '--quiet', '--bare', join(root, 'git/x/driver'));
  const push = `${git}/git/x/driver`;
  const wanted = [{ source: source('x/driver'), target: push, push, pins: ['v0.1.0'] }];
  expect(await run(wanted)).toEqual({ copied: [`git ${push}`], problems: [] });
  await publish('x/driver', 'two', 'v0.2.0');
  const both = wanted.map((each) => ({ ...each, pins: ['v0.1.0', 'v0.2.0', first] }));
  expect(await run(both, true)).toEqual({ copied: [`git ${push}`], problems: [] });
  expect(await commitOf(push, 'refs/tags/v0.2.0')).toBe('');
  expect(await run(both)).toEqual({ copied: [`git ${push}`], problems: [] });
  expect(await commitOf(push, 'refs/heads/trunk')).toBe(await commitOf(source('x/driver'), 'HEAD'));
  expect(await run(both)).toEqual({ copied: [], problems: [] });
});

test('what somebody did in the mirror is left alone, and told where it is pinned', async () => {
  await publish('x/ours', 'one', 'v1.0.0');
  const push = join(root, 'git/x/ours');
  const wanted = (...pins: readonly string[]) => [
    { source: source('x/ours'), target: `file://${push}`, push, pins },
  ];
  await run(wanted('v1.0.0'));
  const theirs = join(root, 'theirs');
  await program('git', 'clone', '--quiet', push, theirs);
  const there = (...words: readonly string[]) =>
    program('git', '-C', theirs, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words);
  await there('commit', '--quiet', '--allow-empty', '--message', 'theirs');
  await there('push', '--quiet', 'origin', 'HEAD:trunk', 'HEAD:refs/heads/local');
  const [trunk, local] = await Promise.all(
    ['trunk', 'local'].map((name) => commitOf(push, `refs/heads/${name}`)),
  );
  const published = await publish('x/ours', 'two', 'v1.0.0', 'v1.1.0');
  expect(await run(wanted('v1.1.0'))).toEqual({ copied: [`git ${push}`], problems: [] });
  expect(await commitOf(push, 'refs/heads/trunk')).toBe(trunk);
  expect(await commitOf(push, 'refs/heads/local')).toBe(local);
  expect(await run(wanted('v1.0.0', published, 'v9.9.9'))).toEqual({
    copied: [],
    problems: [
      `file://${push} has another v1.0.0 than its publisher: it is left alone`,
      `file://${push} has no v9.9.9, which is asked of it`,
    ],
  });
});

test('without a place to push to it is looked for: the repository, and what is pinned', async () => {
  const commit = await publish('x/looked', 'one', 'v1.0.0');
  await publish('x/looked', 'two');
  await program(
    'git',
    'clone',
    '--quiet',
    '--mirror',
    join(root, 'published/x/looked'),
    join(root, 'git/x/looked'),
  );
  const at = (name: string, ...pins: readonly string[]) => ({
    source: `https://github.com/x/${name}`,
    target: `file://${root}/git/x/${name}`,
    ...{ push: '', pins },
  });
  const other = 'a'.repeat(40);
  expect(
    await run([at('looked', 'v1.0.0', commit, 'trunk'), at('away', 'v1.0.0'), at('looked', other)]),
  ).toEqual({
    copied: [],
    problems: [
      expect.stringMatching(
        /^file:.*\/git\/x\/away is not there: copy it with git clone --mirror https:\/\/github.com\/x\/away \(/,
      ),
      `file://${root}/git/x/looked has no ${other}, which is asked of it`,
    ],
  });
});

test('a publisher or a mirror that is away is told, and the others are copied', async () => {
  await publish('x/good', 'one', 'v1.0.0');
  const to = (name: string): Repository => {
    const push = join(root, 'git/x', name);
    return { source: source(`x/${name}`), target: `file://${push}`, push, pins: ['v1.0.0'] };
  };
  const closed = { ...to('good'), push: `git://127.0.0.1:${await freePort()}/x/good` };
  expect(await run([to('none'), closed, to('good')])).toEqual({
    copied: [`git ${to('good').push}`],
    problems: [
      expect.stringMatching(new RegExp(`^${source('x/none')}: fatal: `)),
      expect.stringMatching(new RegExp(`^${source('x/good')}: fatal: unable to connect`)),
    ],
  });
  expect(existsSync(join(root, 'git/x/none'))).toBe(false);
});
