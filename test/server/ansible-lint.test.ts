import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { playbooks } from '../../generators/operations/site.ts';
import { render } from '../../generators/render.ts';
import { ansible } from '../support/ansible.ts';
import { bundleFolder } from '../support/bundle-folder.ts';
import { goldenClusters } from '../support/clusters.ts';
import { exampleClusters } from '../support/examples.ts';
import { templates } from '../support/templates.ts';

const clusters = [...goldenClusters, ...exampleClusters];

test('every golden and every example passes the production profile of ansible-lint without a waiver', () => {
  const all = mkdtempSync(join(tmpdir(), 'playsmith-lint-'));
  copyFileSync(join(import.meta.dirname, '../../.ansible-lint'), join(all, '.ansible-lint'));
  const names = clusters.flatMap((cluster) => {
    bundleFolder(render(cluster, templates), join(all, cluster.name));
    return playbooks(cluster).map(({ file }) => join(cluster.name, file));
  });
  const { status, stdout, stderr } = ansible(all, ['ansible-lint', '--nocolor', '-q', '--offline', ...names]);
  expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: '' });
});

test.each(clusters)('site.yml of cluster $name, and all that it imports, has no syntax error', (cluster) => {
  const folder = bundleFolder(render(cluster, templates));
  const { status, stderr } = ansible(folder, ['ansible-playbook', '--syntax-check', 'site.yml']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
