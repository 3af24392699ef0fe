import { expect, test } from 'vitest';
import { pack } from '../../../generators/bundle.ts';
import { playbooks } from '../../../generators/playbooks.ts';
import { outline } from '../../../generators/outline/outline.ts';
import { render } from '../../../generators/render.ts';
import { breaches } from '../../support/rules/invariants.ts';
import { templates } from '../../support/definitions/templates.ts';
import { clusterOf, definition } from './support.ts';
import { withWorkload } from './workload-support.ts';

const cluster = clusterOf(withWorkload());
const { files } = pack(cluster, render(cluster, templates));

test('playbooks of workload clusters keep the house rules, and are known with their tasks', () => {
  expect(breaches(files)).toEqual([]);
  const ours = playbooks(cluster).filter(({ file }) => file.startsWith('osa-workload-'));
  expect(ours.map(({ file }) => file)).toEqual(
    ['clusters', 'upgrade', 'delete', 'status'].map((each) => `osa-workload-${each}.yml`),
  );
  for (const { file } of ours) expect(outline(files, file).tasks).toBeGreaterThan(2);
});

test('the modules for Magnum are used nowhere: they know no cilium, and can change nothing', () => {
  for (const { text } of files) expect(text).not.toMatch(/openstack\.cloud\.|coe_cluster/);
});

test('without workload clusters there are none of them', () => {
  expect(playbooks(clusterOf(definition())).some(({ file }) => file.startsWith('osa-workload-'))).toBe(false);
});
