import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandsIn, type Words } from './support/commands.ts';
import { fencesOf, page, pages, root, type Page } from './support/documents.ts';
import { follow, matches, stepsOf } from './support/session.ts';

/** Folders of this repository whose files a page tells its reader to have. */
const given: Readonly<Record<string, string>> = {
  'docs/import.md': 'test/fixtures/import/tacker/kubespray',
  'docs/guides/from-tacker.md': 'test/fixtures/import/tacker/kubeadm-ha',
};

const followed = pages.filter((each) => fencesOf(each).some(({ language }) => language === 'console'));

/** Tasks that reach nobody. */
const alone = ['init', 'import', 'check', 'schema', 'render', 'diff', 'explain'];

/** Pages with such tasks in blocks that are not followed, and what their reader has: path → a file or folder of this repository. */
const beginnings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': {},
  'docs/fleet.md': { 'fleet.yml': 'examples/fleet.yml' },
  'docs/import.md': {
    '.': 'test/fixtures/import/tacker/kubespray',
    'outputs.json': 'test/fixtures/import/terraform/objects.json',
    'inventory/mycluster': 'test/fixtures/import/kubespray/current',
    'playbooks/edge-a': 'playbooks/ha-stacked',
    ...Object.fromEntries(
      ['nodes', 'configmaps', 'pods', 'daemonsets'].map((name) => [
        `${name}.json`,
        `test/fixtures/import/cluster/${name}.json`,
      ]),
    ),
  },
  'docs/kubernetes.md': { 'cluster.yml': 'examples/ha-stacked.yml' },
  'docs/osa.md': { 'cloud.yml': 'examples/osa-magnum.yml', 'osa-magnum': 'examples/osa-magnum' },
  'docs/topics/definition.md': { 'inventory/mycluster': 'test/fixtures/import/kubespray/current' },
};

/** Tasks that reach nobody in the blocks of a page that are not followed. */
const aloneIn = (each: Page): readonly Words[] =>
  fencesOf(each)
    .filter(({ language }) => /^(?:sh)?$/.test(language))
    .flatMap(({ text }) => commandsIn(text))
    .filter((words) => alone.includes(words[0] ?? '') && !words.includes('--kubeconfig'));

/** Blocks of guides that nobody follows, and why. */
const unfollowed: Readonly<Record<string, string>> = {
  'docs/guides/adding-a-phase.md': 'npm test does the same for the playbooks of this repository',
  'docs/guides/from-tacker.md': 'needs a Tacker, and the machines of its VNF',
  'docs/guides/security.md': 'needs Kubernetes; test/long/asked.test.ts runs the phases',
};

/** TypeScript that a page tells its reader to write: the file, and the text. */
const written = pages.flatMap(fencesOf).flatMap(({ language, text }) => {
  const [, path] = /^ts file=(\S+)/.exec(language) ?? [];
  return path === undefined ? [] : [[join(root, path), text] as const];
});

test.each(written)('%s finds what it imports from here', async (path, text) => {
  for (const [, names = '', from = ''] of text.matchAll(/^import \{(.+)\} from '(\..+)';$/gm)) {
    const file = join(dirname(path), from);
    const values = names.split(',').map((name) => name.trim());
    const own = written.find(([other]) => other === file)?.[1];
    const found =
      own === undefined
        ? Object.keys((await import(file)) as object)
        : [...own.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);
    expect(found, file).toEqual(expect.arrayContaining(values.filter((name) => !name.startsWith('type '))));
  }
});

describe('what the documentation shows', () => {
  test.each(followed.map((each) => [each.path, each] as const))(
    '%s: each command prints what is shown',
    { timeout: 300_000 },
    async (path, each) => {
      expect(await follow(stepsOf(each), given[path])).toEqual([]);
    },
  );

  const beginning = pages.filter((each) => aloneIn(each).length > 0);

  test.each(beginning.map((each) => [each.path, each] as const))(
    '%s: what is not followed, and reaches nobody, ends well',
    { timeout: 300_000 },
    async (path, each) => {
      const needs = Object.entries(beginnings[path] ?? {}).map(([to, from]) => ({
        command: `mkdir -p "$(dirname ${to})" && cp -rT ${join(root, from)} ${to}`,
        shown: '',
      }));
      const commands = aloneIn(each).map((words) => ({
        command: `${words[0] === 'import' ? 'rm -f cluster.yml; ' : ''}npx task ${words.join(' ')} > out 2>&1 || cat out`,
        shown: '',
      }));
      expect(await follow([...needs, ...commands])).toEqual([]);
    },
  );

  test('guides are followed, but for what is known not to be', () => {
    const paths = pages
      .filter(({ path }) => path.startsWith('docs/guides/'))
      .filter((each) => fencesOf(each).some(({ language }) => /^(?:sh)?$/.test(language)))
      .map(({ path }) => path);
    expect(paths).toEqual(Object.keys(unfollowed));
    expect(beginning.map(({ path }) => path).sort()).toEqual(Object.keys(beginnings).sort());
  });

  test('every folder that is given belongs to a page that is followed', () => {
    const paths = followed.map(({ path }) => path);
    for (const path of Object.keys(given)) expect(paths).toContain(path);
  });
});

describe('a page that is followed', () => {
  const told = (text: string): Promise<readonly string[]> => follow(stepsOf(page('docs/page.md', text)));
  const fence = '```';

  const shown = (...lines: readonly string[]): string => [`${fence}console`, ...lines, fence].join('\n');

  test('its files are written, its commands run in order in one folder', async () => {
    const file = `${fence}yaml file=a/b.yml\nx: 1\n${fence}`;
    const session = shown('$ cat a/b.yml', 'x: 1', '$ touch c', '$ ls', 'a', 'c');
    expect(await told(`${file}\n\n${session}`)).toEqual([]);
  });

  test('what is printed otherwise is told, with both', async () => {
    const [fault = ''] = await told(shown('$ echo one >&2', 'two'));
    expect(fault).toContain('shown:\ntwo');
    expect(fault).toContain('printed:\none');
  });

  test('a command may go on over lines, and what it exports is there for the next one', async () => {
    const lines = ['$ cat << END', '> a', '>', '> b', '> END', 'a', '', 'b'];
    expect(await told(shown(...lines, '$ export A=1', '$ echo $A \\', '  2', '1 2'))).toEqual([]);
  });

  test('the exit code of a command is there for the next one', async () => {
    const refused = ['$ npx task explain nonsense', 'error: there is no failure nonsense…', '…'];
    expect(await told(shown(...refused, '$ echo $?', '2'))).toEqual([]);
  });

  test('a command fails where the page shows an error, and nowhere else', async () => {
    expect(await told(shown('$ false'))).toMatchObject([expect.stringContaining('ended with 1')]);
    expect(await told(shown('$ echo error: no', 'error: no'))).toHaveLength(1);
    expect(await told(shown('$ echo error: no; false', 'error: no'))).toEqual([]);
  });

  test('what the reader answers is typed on a terminal when it is asked for', async () => {
    const asked = `read -p 'Go on? (yes/no) ' answer; [ -t 1 ]; echo "$answer $?"`;
    expect(await told(shown(`$ ${asked}`, 'Go on? (yes/no) yes', 'yes 0'))).toEqual([]);
    const drawn = String.raw`printf 'working\r\033[Kdone\n'; ${asked}`;
    expect(await told(shown(`$ ${drawn}`, 'done', 'Go on? (yes/no) no', 'no 0'))).toEqual([]);
  });

  test('what needs hosts is left out, unless there are some', () => {
    const text = `${fence}console lab\n$ one\n${fence}\n\n${shown('$ two')}\n\n${fence}sh\nthree\n${fence}`;
    const [one, two] = ['one', 'two'].map((command) => ({ command, shown: '' }));
    expect(stepsOf(page('docs/page.md', text))).toEqual([two]);
    expect(stepsOf(page('docs/page.md', text), true)).toEqual([one, two]);
  });

  test.each([
    ['a\n…\nd', 'a\nb\nc\nd', true],
    ['a\n…\nd', 'a\nd', true],
    ['a … d', 'a b c d', true],
    ['a.d', 'abd', false],
    ['a', 'a\nb', false],
    ['', 'a', false],
    ['', '', true],
  ])('%j against %j: %s', (shown, printed, expected) => {
    expect(matches(shown, printed)).toBe(expected);
  });
});
