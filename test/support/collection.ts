import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { collectionOf } from '../../generators/collection.ts';
import type { RenderedFile } from '../../generators/rendered-file.ts';
import { collectionFolder } from '../../tasks/runtime/package.ts';
import { templates } from './definitions/templates.ts';

/** Names of all modules of playsmith.host. */
export const moduleNames: readonly string[] = readdirSync(join(collectionFolder, 'plugins/modules'))
  .filter((name) => name.endsWith('.py'))
  .map((name) => basename(name, '.py'));

/** What of the collection a bundle holds whose playbooks use these modules. */
export const collectionFor = (modules: readonly string[]): readonly RenderedFile[] =>
  collectionOf(
    [
      {
        path: 'site.yml',
        text: modules.map((name) => `    - playsmith.host.${name}:\n`).join(''),
        mode: '0644',
      },
    ],
    templates,
  );
