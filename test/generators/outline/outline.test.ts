import { describe, expect, test } from 'vitest';
import { outline } from '../../../generators/outline/outline.ts';
import { batchesOf } from '../../../generators/outline/batches.ts';
import { inventoryOf, matching } from '../../../generators/outline/hosts.ts';
import { selects, tagsOf } from '../../../generators/outline/tags.ts';
import { render } from '../../../generators/render.ts';
import { cluster } from '../../support/definitions/clusters.ts';
import { templates } from '../../support/definitions/templates.ts';

const files = render(cluster(), templates);

describe('an outline', () => {
  test('goes through the tasks of a rolling play once for each host', () => {
    const { plays, tasks } = outline(files, 'haproxy.yml');
    expect(plays.map(({ name, batches, tasks: { length } }) => [name, batches, length])).toEqual([
      ['Connect to every host before any change', 1, 4],
      ['Install HAProxy on every load balancer, and write its configuration', 1, 5],
      ['Balance the Kubernetes API, one load balancer at a time', 3, 4],
    ]);
    expect(tasks).toBe(4 + 5 + 3 * 4);
  });

  test('of the site is that of its parts, but for hosts that are known to be ours', () => {
    const parts = ['require-scope.yml', 'preflight.yml', 'haproxy.yml', 'keepalived.yml'].map(
      (part) => outline(files, part).tasks,
    );
    const { plays, tasks } = outline(files, 'site.yml');
    expect(tasks).toBe(parts.reduce((sum, count) => sum + count, 0) - 4);
    const reaching = plays.filter(({ name }) => name === 'Connect to every host before any change');
    expect(reaching.map(({ hosts }) => hosts.length > 0)).toEqual([true, true, false]);
  });

  test('of a playbook that is not there is an error', () => {
    expect(() => outline(files, 'nfs.yml')).toThrow('the bundle has no nfs.yml');
  });

  test('inherits tags from imports, plays and blocks, and counts the gathering of facts', () => {
    const own = [
      { path: 'inventory/hosts.yml', mode: '0644' as const, text: 'all: { hosts: { a: {} } }' },
      {
        path: 'x.yml',
        mode: '0644' as const,
        text: '- ansible.builtin.import_playbook: y.yml\n  tags: [one]',
      },
      {
        path: 'y.yml',
        mode: '0644' as const,
        text: '- hosts: all\n  tags: two\n  tasks:\n    - tags: three,four\n      block: [{ name: t, m: x }]',
      },
    ];
    expect(outline(own, 'x.yml').plays[0]?.tasks).toEqual([
      { name: 'Gathering Facts', tags: ['always'] },
      { name: 't', tags: ['one', 'two', 'three', 'four'] },
    ]);
  });
});

describe('tags', () => {
  test.each([
    [[], [], ['a'], true],
    [[], [], ['never'], false],
    [[], [], ['a', 'never'], false],
    [['a'], [], ['a', 'never'], true],
    [['never'], [], ['never'], true],
    [['a'], [], ['b'], false],
    [['a'], [], ['always'], true],
    [['a'], ['always'], ['always'], false],
    [['tagged'], [], [], false],
    [['tagged'], [], ['b'], true],
    [['untagged'], [], [], true],
    [['untagged'], [], ['b'], false],
    [['all'], [], [], true],
    [[], ['all'], ['b'], false],
    [[], ['all'], ['always'], true],
    [[], ['all', 'always'], ['always'], false],
    [[], ['tagged'], [], true],
    [[], ['tagged'], ['b'], false],
    [[], ['untagged'], [], false],
  ])('--tags %j --skip-tags %j on a task with %j: %j', (only, skip, tags, expected) => {
    expect(selects({ only, skip }, tags)).toBe(expected);
  });

  test('may be a list, a text, or joined by commas', () => {
    expect(tagsOf('a, b')).toEqual(['a', 'b']);
    expect(tagsOf(['a,b', 'c'])).toEqual(['a', 'b', 'c']);
    expect(tagsOf(undefined)).toEqual([]);
  });
});

describe('hosts', () => {
  const inventory = inventoryOf(`
all:
  hosts: { cp1: {}, cp2: {}, cp11: {}, w1: {} }
  children:
    masters: { hosts: { cp1: {}, cp2: {}, cp11: {} } }
    workers: { hosts: { w1: {} } }
    cluster: { children: { masters: {}, workers: {} } }
`);

  test.each([
    ['all', ['cp1', 'cp2', 'cp11', 'w1']],
    ['cp1', ['cp1']],
    ['cluster', ['cp1', 'cp2', 'cp11', 'w1']],
    ['w1,cp1', ['w1', 'cp1']],
    ['w1:cp1', ['w1', 'cp1']],
    ['masters:!cp2', ['cp1', 'cp11']],
    ['!masters', ['w1']],
    ['cluster:&workers', ['w1']],
    ['cp1*', ['cp1', 'cp11']],
    ['cp?', ['cp1', 'cp2']],
    ['~(cp|w)1$', ['cp1', 'w1']],
    ['masters[0]', ['cp1']],
    ['masters[-1]', ['cp11']],
    ['masters[1:]', ['cp2', 'cp11']],
    ['masters[0:1]', ['cp1', 'cp2']],
    ['nobody', []],
    ['cp1[', []],
  ])('%s means %j', (pattern, hosts) => {
    expect(matching(inventory, pattern)).toEqual(hosts);
  });
});

test.each([
  [0, 1, 0],
  [3, undefined, 1],
  [3, 1, 3],
  [5, 2, 3],
  [10, '30%', 4],
  [2, '10%', 2],
  [10, [1, 3], 4],
  [3, 0, 1],
])('%j hosts with serial %j are %j batches', (hosts, serial, batches) => {
  expect(batchesOf(hosts, serial)).toBe(batches);
});
