import { describe, expect, test } from 'vitest';
import { registry } from '../tasks/registry.ts';
import { adviceOn, faultOfSetting, faultsOfAdvice, namedTasks, speeches } from './support/advice.ts';
import {
  commandsIn,
  commandsOf,
  faultOf,
  faultOfMention,
  mentionsOf,
  type Words,
} from './support/commands.ts';
import { inlineCodeOf, pages, type Page } from './support/documents.ts';

const faults = async (
  all: readonly Words[],
  judge: (words: Words) => Promise<string | undefined>,
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const words of all) {
    const fault = await judge(words);
    if (fault !== undefined) found.push(`npx task ${words.join(' ')}: ${fault}`);
  }
  return found;
};

const commandsAndMentions = (page: Page): number => commandsOf(page).length + mentionsOf(page).length;

describe('commands of the documentation', () => {
  const speaking = pages
    .filter((page) => commandsAndMentions(page) > 0)
    .map((page) => [page.path, page] as const);

  test.each(speaking)('%s: every task exists, and takes what it is given', async (_, page) => {
    expect(await faults(commandsOf(page), faultOf)).toEqual([]);
    expect(await faults(mentionsOf(page), faultOfMention)).toEqual([]);
  });

  test('they are found in the pages that tell of tasks', () => {
    const paths = speaking.map(([path]) => path);
    for (const path of ['README.md', 'docs/lab.md', 'docs/operations.md']) expect(paths).toContain(path);
    const inReadme = pages.filter(({ path }) => path === 'README.md').flatMap(commandsOf);
    expect(inReadme).toContainEqual(['run', '--check']);
  });
});

describe('commands that messages tell people to run', () => {
  const spoken = speeches();
  const told = spoken.flatMap(({ file, text }) =>
    namedTasks(text).map(([name, rest]) => ({ file, name, rest })),
  );

  test.each([...new Set(told.map(({ name }) => name))])('%s exists, and takes what is said', async (name) => {
    const task = await registry.get(name)?.();
    if (task === undefined) return expect.fail(`there is no task ${name}`);
    const wrong = told
      .filter((each) => each.name === name)
      .flatMap(({ file, rest }) =>
        faultsOfAdvice(task, adviceOn(task, rest)).map((fault) => `${file}: ${fault}`),
      );
    expect(wrong).toEqual([]);
  });

  test('every variable that is said to be set is one, and has a value', () => {
    const faults = spoken.flatMap(({ file, text }) =>
      [...text.matchAll(/--set ([a-z_]+)=([^\s`'"]*)/g)].flatMap(([, name = '', value = '']) => {
        const fault = faultOfSetting(name, value);
        return fault === undefined ? [] : [`${file}: ${fault}`];
      }),
    );
    expect(faults).toEqual([]);
  });

  test('a variable that destroys something is confirmed by --confirm, never told as one to be set', () => {
    const texts = [...spoken.map(({ text }) => text), ...pages.flatMap(inlineCodeOf)];
    expect(texts.filter((text) => /--set \w+_confirm/.test(text))).toEqual([]);
  });

  test.each([
    ['run', 'verify --chek', ['run has no option --chek']],
    ['run', 'workers --limit', ['--limit stands without a value']],
    ['run', 'reset --limit …', []],
    ['run', 'builds the cluster --chek', []],
    ['terminate', '--confirm`', ['--confirm stands without a value']],
    ['fleet', 'run --check --cluster NAME; restore', []],
  ])('%s %j: %j', async (name, rest, faults) => {
    const task = await registry.get(name)?.();
    expect(task && faultsOfAdvice(task, adviceOn(task, rest))).toEqual(faults);
  });

  test.each([
    ['reset_confirm', '', 'reset_confirm stands without a value'],
    ['reset_confrm', 'edge-a', 'no playbook has a variable reset_confrm'],
    ['etcd_restore_snapshot', 'newest', 'newest is no value of etcd_restore_snapshot'],
    ['etcd_restore_snapshot', 'latest', undefined],
  ])('%s=%s: %s', (name, value, fault) => {
    expect(faultOfSetting(name, value)).toBe(fault);
  });
});

describe('a command', () => {
  test.each([
    ['npx task run   # the whole', [['run']]],
    ['npx task check && npx --no task render | cat', [['check'], ['render']]],
    ["npx task run --set 'a=b c' \\\n  haproxy", [['run', '--set', 'a=b c', 'haproxy']]],
    ['npx task import hosts 10.0.0.[11:13] > out', [['import', 'hosts', '10.0.0.[11:13]']]],
    ['npx task run <operation>', [['run', 'operation']]],
    ['npx tasks run; npm run task', []],
  ])('%j is read as %j', (text, words) => {
    expect(commandsIn(text)).toEqual(words);
  });

  test.each([
    [['rnu'], 'no task rnu'],
    [['run', '--chek'], 'chek'],
    [['cnf-scale'], 'cnf-scale needs'],
    [['lab', 'explode'], 'up'],
  ])('%j is a fault', async (words, fault) => {
    expect(await faultOf(words)).toContain(fault);
  });

  test('a mention need not be whole, but nothing in it may be wrong', async () => {
    expect(await faultOfMention(['import', 'kubespray'])).toBeUndefined();
    expect(await faultOfMention(['import', '--kubernets', '1'])).toBeDefined();
    expect(await faultOfMention(['imprt'])).toBeDefined();
  });
});
