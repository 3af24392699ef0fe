import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pack } from '../../generators/bundle.ts';
import { playbooks } from '../../generators/operations/site.ts';
import { render } from '../../generators/render.ts';
import { ansible } from '../support/ansible.ts';
import { bundleFolder } from '../support/bundle-folder.ts';
import { goldenClusters } from '../support/clusters.ts';
import { exampleClusters } from '../support/examples.ts';
import { templates } from '../support/templates.ts';

describe.each([...goldenClusters, ...exampleClusters])('the bundle of cluster $name', (cluster) => {
  const folder = bundleFolder(pack(cluster, render(cluster, templates)).files);
  const names = playbooks(cluster).map(({ file }) => file);

  test('passes the production profile of ansible-lint without a waiver', () => {
    copyFileSync(join(import.meta.dirname, '../../.ansible-lint'), join(folder, '.ansible-lint'));
    const { status, stdout, stderr } = ansible(folder, [
      'ansible-lint',
      '--nocolor',
      '-q',
      '--offline',
      ...names,
    ]);
    expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: '' });
  });

  test.each(names)('%s has no syntax error', (name) => {
    const { status, stderr } = ansible(folder, ['ansible-playbook', '--syntax-check', name]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
