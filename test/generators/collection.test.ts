import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collectionOf, collectionVersion } from '../../generators/collection.ts';
import { render } from '../../generators/render.ts';
import { collectionFolder, version } from '../../tasks/runtime/package.ts';
import { collectionFor, moduleNames } from '../support/collection.ts';
import { exampleClusters } from '../support/definitions/examples.ts';
import { templates } from '../support/definitions/templates.ts';

const bundled = 'collections/ansible_collections/playsmith/host/';

describe('the collection', () => {
  test('is in a bundle byte for byte, with the action of a module', () => {
    const files = collectionFor(['artifacts']);
    expect(files.map(({ path }) => path.replace(bundled, ''))).toEqual([
      'galaxy.yml',
      'meta/runtime.yml',
      'plugins/modules/artifacts.py',
      'plugins/module_utils/host.py',
      'plugins/action/artifacts.py',
    ]);
    for (const { path, text } of files)
      expect(text).toBe(readFileSync(join(collectionFolder, path.replace(bundled, '')), 'utf8'));
  });

  test('is in no bundle whose playbooks name none of its modules', () => {
    expect(collectionFor([])).toEqual([]);
  });

  test('has the version of the package', () => {
    expect(collectionVersion(collectionFor(['files']))).toBe(version);
  });

  test('brings what a module imports, over any way, once', () => {
    const from = 'from ansible_collections.playsmith.host.plugins.module_utils';
    const texts = {
      ...templates,
      'collection/plugins/modules/a.py': `${from}.one import x\n`,
      'collection/plugins/modules/b.py': `${from}.two import y\n`,
      'collection/plugins/module_utils/one.py': `${from}.two import y\n`,
      'collection/plugins/module_utils/two.py': 'y = 1\n',
    };
    const playbook = {
      path: 'site.yml',
      text: '      playsmith.host.a:\n      playsmith.host.b:\n',
      mode: '0644',
    };
    const found = collectionOf([playbook as never], texts).map(({ path }) =>
      path.replace(`${bundled}plugins/`, ''),
    );
    expect(found.slice(2)).toEqual([
      'modules/a.py',
      'module_utils/one.py',
      'module_utils/two.py',
      'modules/b.py',
    ]);
  });

  test('has no module that no example uses', () => {
    const used = new Set(
      exampleClusters.flatMap((cluster) => render(cluster, templates)).map(({ path }) => path),
    );
    expect(moduleNames.filter((name) => !used.has(`${bundled}plugins/modules/${name}.py`))).toEqual([]);
  });
});
