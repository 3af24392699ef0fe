import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pack } from '../../generators/bundle.ts';
import { render } from '../../generators/render.ts';
import { exampleClusters } from '../support/definitions/examples.ts';
import { breaches } from '../support/rules/invariants.ts';
import { templates } from '../support/definitions/templates.ts';

const playbooks = join(import.meta.dirname, '../../playbooks');

describe.each(exampleClusters)('playbooks/$name', (cluster) => {
  const { files } = pack(cluster, render(cluster, templates));
  const folder = join(playbooks, cluster.name);

  test.each(files.map(({ path, text, mode }) => [path, text, mode] as const))(
    '%s is what the example renders to',
    async (path, text, mode) => {
      await expect(text).toMatchFileSnapshot(join(folder, path));
      expect(statSync(join(folder, path)).mode & 0o111).toBe(mode === '0755' ? 0o111 : 0);
    },
  );

  test('keeps the house rules for playbooks', () => {
    expect(breaches(files)).toEqual([]);
  });

  test('has no file that is no longer rendered', () => {
    const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    expect(kept.sort()).toEqual(files.map(({ path }) => path).sort());
  });
});

test('every folder of playbooks/ belongs to an example', () => {
  expect(readdirSync(playbooks).sort()).toEqual(exampleClusters.map(({ name }) => name).sort());
});
