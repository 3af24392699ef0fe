import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { registry } from '../tasks/registry.ts';
import { packageRoot } from '../tasks/runtime/package.ts';
import {
  commandsIn,
  commandsOf,
  faultOf,
  faultOfMention,
  mentionsOf,
  type Words,
} from './support/commands.ts';
import { pages, type Page } from './support/documents.ts';

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

describe('tasks that messages tell people to run', () => {
  const told = ['agent', 'collection/plugins', 'templates', 'tasks', 'generators'].flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:py|sh|hbs|ts)$/.test(entry.name))
      .flatMap(({ parentPath, name }) => [
        ...readFileSync(join(parentPath, name), 'utf8').matchAll(/npx task ([a-z][a-z-]*)/g),
      ])
      .map(([, task = '']) => task),
  );

  test.each([...new Set(told)])('%s exists', (task) => {
    expect([...registry.keys()]).toContain(task);
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
