import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { useSpecifications, type Specifications, type Templates } from '../generators/engine.ts';
import { agentPrograms } from '../generators/phases/kubespray/kubespray-cluster.ts';
import { collectionFolder, packageRoot } from './package.ts';

/** The texts of this package: path below templates/, or from collection/ or agent/ on → text. They are read once. */
export const readTemplates = (): Templates =>
  (templates ??= useSpecifications(loadTemplates(), specifications()));

let templates: Templates | undefined;

function loadTemplates(): Templates {
  const folder = join(packageRoot, 'templates');
  return {
    ...textsBelow(folder, folder),
    ...textsBelow(join(collectionFolder, 'plugins'), packageRoot),
    ...textsBelow(join(collectionFolder, 'meta'), packageRoot),
    ...textsOf(
      agentPrograms.map((path) => join(packageRoot, 'agent', path)),
      packageRoot,
    ),
    'collection/galaxy.yml': readFileSync(join(collectionFolder, 'galaxy.yml'), 'utf8'),
  };
}

function textsBelow(folder: string, root: string): Templates {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    // What Python keeps beside its sources is no text.
    .filter((path) => !path.endsWith('.pyc'));
  return textsOf(files, root);
}

const textsOf = (files: readonly string[], root: string): Templates =>
  Object.fromEntries(files.map((path) => [relative(root, path), readFileSync(path, 'utf8')]));

/** What the build made of the templates, by the SHA-256 of each text: one that was edited since is compiled by the engine. */
function specifications(): Specifications {
  const file = join(packageRoot, 'dist', 'templates.cjs');
  if (!existsSync(file)) return () => undefined;
  const made = createRequire(import.meta.url)(file) as Readonly<Record<string, TemplateSpecification>>;
  return (text) => made[createHash('sha256').update(text).digest('hex')];
}
