import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pages, root } from './support/documents.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const below = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(hbs|ts)$/.test(path))
    .map((path) => join(folder, path));
const named = /`(test\/[\w/.-]+\.(?:test\.)?ts)`/g;

/** Rows of the security guide: what is promised, and the titles of the tests that hold it, each behind its file. */
const promises =
  read('docs/guides/security.md')
    .split('## Which test holds which promise')[1]
    ?.split('\n## ')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map(
      (line) =>
        line
          .split('|')
          .slice(1, 3)
          .map((cell) => cell.trim()) as [promise: string, tests: string],
    ) ?? [];

const held = promises.flatMap(([promise, tests]) =>
  tests.split(/, (?=`test\/)/).map((each) => {
    const [, path = '', title = ''] = /^`(test\/[^`]+)`: (.+)$/.exec(each) ?? [];
    return { promise, path, title };
  }),
);

/** Whether a test or a group of tests has exactly this title. */
const holds = (text: string, title: string): boolean =>
  [`'${title.replaceAll("'", String.raw`\'`)}'`, `"${title}"`, `\`${title}\``].some(
    (each) => text.includes(`(${each}`) || text.includes(`\n  ${each},`),
  );

describe('the tests that documents name', () => {
  test.each(pages.map(({ path }) => path))('by %s are there', (path) => {
    const missing = [...read(path).matchAll(named)]
      .map(([, file = '']) => file)
      .filter((file) => !existsSync(join(root, file)));
    expect(missing).toEqual([]);
  });

  test('for promises are many', () => {
    expect(held.length).toBeGreaterThan(30);
  });

  test.each(held)('for "$promise" has its title', ({ path, title }) => {
    expect(title).not.toBe('');
    expect(existsSync(join(root, path)) && holds(read(path), title), `${path}: ${title}`).toBe(true);
  });
});

test('tasks whose start a test on hosts waits for are in a playbook', () => {
  const playbooks = below('templates').map(read).join('\n');
  const waits = [...below('test/lab'), ...below('test/long')].flatMap((path) =>
    [...read(path).matchAll(/'task-started'[^;{}]*?name(?:\.startsWith\(| === )'([^']+)'/g)].map(
      ([, task = '']) => task,
    ),
  );
  expect(waits.length).toBeGreaterThan(8);
  // From a number on, a name holds what a definition says.
  expect(waits.filter((task) => !playbooks.includes(task.replace(/\d.*/, '')))).toEqual([]);
});
