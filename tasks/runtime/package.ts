import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package, the same from source and from dist/. */
export const packageRoot = rootAbove(dirname(fileURLToPath(import.meta.url)));

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder));
}

/** Texts of playbooks and configuration, and the Ansible collection of bundles. */
export const templatesFolder = join(packageRoot, 'templates');
export const collectionFolder = join(packageRoot, 'collection');

/** Programs that are sent to the Ansible server and run there. */
export const agentFolder = join(packageRoot, 'agent');

/** Programs that run on lab hosts. */
export const labFolder = join(packageRoot, 'lab', 'files');

export const version = (
  JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { readonly version: string }
).version;
