import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { importKubespray } from '../../../generators/import/inventory/index.ts';
import { parse } from '../../../generators/source/tree.ts';
import type { Text } from '../../../generators/source/foreign/node.ts';
import { dropped } from '../../support/definitions/mutations.ts';

/** kubespray's git repository. */
const repository = process.env['PLAYSMITH_KUBESPRAY'] ?? '';

const git = (...words: readonly string[]): string =>
  execFileSync('git', ['-C', repository, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 });

/** The sample inventory of a tag: hosts that its comments propose, and every variable that they propose, one by one. */
function sampleAt(tag: string): readonly Text[] {
  const paths = git('ls-tree', '-r', '--name-only', tag, '--', 'inventory/sample/group_vars')
    .trim()
    .split('\n');
  return [
    { file: 'inventory/sample/hosts.ini', text: hosts },
    ...paths.map((file) => ({ file, text: spokenOut(git('show', `${tag}:${file}`)) })),
  ];
}

const hosts = `${[
  '[all]',
  ...[1, 2, 3, 4, 5].map((each) => `node${each} ansible_host=203.0.113.${each} ip=192.168.56.${each}`),
  ...['[kube_control_plane]', 'node[1:3]', '[etcd]', 'node[1:3]', '[kube_node]', 'node[4:5]', '[calico_rr]'],
  ...['[k8s_cluster:children]', 'kube_control_plane', 'kube_node', 'calico_rr'],
].join('\n')}\n`;

/** Comments that are `key: value` become lines, as long as the file can be read with them. */
function spokenOut(text: string): string {
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const [, spaces = '', said] = /^(\s*)#+ ?([a-z][a-z0-9_]*: +\S.*)$/.exec(line) ?? [];
    if (said === undefined) continue;
    lines[index] = spaces + said;
    if (!parse(lines.join('\n'), 'file').ok) lines[index] = line;
  }
  return lines.join('\n');
}

// kubespray's repository comes from another network: the project carries none.
describe.skipIf(repository === '')('of the sample inventory of a tag, of PLAYSMITH_KUBESPRAY', () => {
  test.each(['v2.16.0', 'v2.23.3', 'v2.31.0'])('%s no value is dropped', { timeout: 300_000 }, (tag) => {
    expect(dropped(importKubespray, sampleAt(tag))).toEqual([]);
  });
});
