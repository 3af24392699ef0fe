import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mainPlaybook, playbooks } from '../../generators/playbooks.ts';
import { render } from '../../generators/render.ts';
import { ansible } from '../support/server/ansible.ts';
import { bundleFolder } from '../support/definitions/bundle-folder.ts';
import { goldenClusters } from '../support/definitions/clusters.ts';
import { exampleClusters } from '../support/definitions/examples.ts';
import { templates } from '../support/definitions/templates.ts';

const clusters = [...goldenClusters, ...exampleClusters];

/** Playbooks of all clusters, each text once, whatever the name of the cluster in it. */
function distinctPlaybooks(folder: string): readonly string[] {
  const found = new Map<string, string>();
  for (const cluster of clusters) {
    const files = render(cluster, templates);
    bundleFolder(files, join(folder, cluster.name));
    const texts = new Map(files.map(({ path, text }) => [path, text.replaceAll(cluster.name, '<cluster>')]));
    for (const { file, run } of playbooks(cluster)) {
      const text = texts.get(file) ?? file;
      // What an operation imports is read with it: one cluster that has everything is enough.
      if (run !== 'operation' || cluster.name === 'full') found.set(text, join(cluster.name, file));
    }
  }
  return [...found.values()];
}

test('every golden and every example passes the production profile of ansible-lint without a waiver', () => {
  const all = mkdtempSync(join(tmpdir(), 'playsmith-lint-'));
  copyFileSync(join(import.meta.dirname, '../../.ansible-lint'), join(all, '.ansible-lint'));
  const names = distinctPlaybooks(all);
  const { status, stdout, stderr } = ansible(all, ['ansible-lint', '--nocolor', '-q', '--offline', ...names]);
  expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: '' });
}, 900_000);

test.each(clusters)(
  'the operation of cluster $name, and all that it imports, has no syntax error',
  (cluster) => {
    const folder = bundleFolder(render(cluster, templates));
    const { status, stderr } = ansible(folder, [
      'ansible-playbook',
      '--syntax-check',
      `${mainPlaybook(cluster)}.yml`,
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  },
);
