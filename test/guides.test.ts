import { describe, expect, test } from 'vitest';
import { commandsOf } from './support/commands.ts';
import { fencesOf, page, pages } from './support/documents.ts';
import { follow, matches, stepsOf } from './support/session.ts';

/** Folders of this repository whose files a page tells its reader to have. */
const given: Readonly<Record<string, string>> = {
  'docs/import.md': 'test/fixtures/import/tacker/kubespray',
  'docs/guides/from-tacker.md': 'test/fixtures/import/tacker/kubeadm-ha',
  'docs/guides/around-kubespray.md': 'test/fixtures/import/kubespray/current',
};

const followed = pages.filter((each) => fencesOf(each).some(({ language }) => language === 'console'));

/** Tasks that reach nobody. */
const alone = ['init', 'import', 'check', 'schema', 'render', 'diff', 'explain'];

describe('what the documentation shows', () => {
  test.each(followed.map((each) => [each.path, each] as const))(
    '%s: each command prints what is shown',
    { timeout: 300_000 },
    (path, each) => {
      expect(follow(stepsOf(each), given[path])).toEqual([]);
    },
  );

  test('the beginning in the README leads to a reviewed bundle', { timeout: 300_000 }, () => {
    const readme = pages.find(({ path }) => path === 'README.md');
    const begin =
      readme === undefined ? [] : commandsOf(readme).filter(([name = '']) => alone.includes(name));
    expect(begin.map(([name]) => name)).toEqual(expect.arrayContaining(['init', 'check', 'render']));
    const commands = begin.map((words) => ({
      command: `npx task ${words.join(' ')} > /dev/null 2>&1; echo $?`,
      shown: '0',
    }));
    expect(follow(commands)).toEqual([]);
  });

  test('every folder that is given belongs to a page that is followed', () => {
    const paths = followed.map(({ path }) => path);
    for (const path of Object.keys(given)) expect(paths).toContain(path);
  });
});

describe('a page that is followed', () => {
  const told = (text: string): readonly string[] => follow(stepsOf(page('docs/page.md', text)));
  const fence = '```';

  test('its files are written, its commands run in order in one folder', () => {
    expect(
      told(
        `${fence}yaml file=a/b.yml\nx: 1\n${fence}\n\n${fence}console\n$ cat a/b.yml\nx: 1\n$ touch c\n$ ls\na\nc\n${fence}`,
      ),
    ).toEqual([]);
  });

  test('what is printed otherwise is told, with both', () => {
    const [fault = ''] = told(`${fence}console\n$ echo one >&2\ntwo\n${fence}`);
    expect(fault).toContain('shown:\ntwo');
    expect(fault).toContain('printed:\none');
  });

  test('the exit code of a command is there for the next one', () => {
    expect(
      told(
        `${fence}console\n$ npx task explain nonsense\nerror: there is no failure nonsense…\n…\n$ echo $?\n2\n${fence}`,
      ),
    ).toEqual([]);
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
