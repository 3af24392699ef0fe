import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pack } from '../../generators/bundle.ts';
import { render } from '../../generators/render.ts';
import { goldenClusters } from '../support/definitions/clusters.ts';
import { breaches } from '../support/rules/invariants.ts';
import { templates } from '../support/definitions/templates.ts';

const golden = join(import.meta.dirname, '../golden');

describe.each(goldenClusters)('the bundle of cluster $name', (cluster) => {
  const { files } = pack(cluster, render(cluster, templates));

  test.each(files.map(({ path, text }) => [path, text] as const))('%s is as reviewed', async (path, text) => {
    await expect(text).toMatchFileSnapshot(join(golden, cluster.name, path));
  });

  test('keeps the house rules for playbooks', () => {
    expect(breaches(files)).toEqual([]);
  });

  test('is the same when it is rendered again', () => {
    expect(pack(cluster, [...render(cluster, { ...templates })].reverse()).files).toEqual(files);
  });

  test('has no golden that is no longer rendered', () => {
    const folder = join(golden, cluster.name);
    const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    const paths = files.map(({ path }) => path);
    expect(kept.filter((path) => !paths.includes(path))).toEqual([]);
    // Where goldens are updated, one that is missing is written once all tests are through.
    if (process.env['npm_lifecycle_event'] !== 'goldens') expect(kept.sort()).toEqual(paths.sort());
  });
});

test('every folder of goldens belongs to a cluster', () => {
  expect(
    readdirSync(golden)
      .filter((name) => name !== 'kubeadm')
      .sort(),
  ).toEqual(goldenClusters.map(({ name }) => name).sort());
});
