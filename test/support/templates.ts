import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Templates } from '../../generators/engine.ts';

const root = join(import.meta.dirname, '../../templates');

/** The templates of this checkout, read once. */
export const templates: Templates = Object.fromEntries(
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(root, path), readFileSync(path, 'utf8')]),
);
