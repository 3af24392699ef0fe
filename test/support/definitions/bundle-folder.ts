import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RenderedFile } from '../../../generators/rendered-file.ts';

/** Writes files below `folder`, by default a new temporary one, and returns it; the operating system clears it away. */
export function bundleFolder(
  files: readonly RenderedFile[],
  folder = mkdtempSync(join(tmpdir(), 'playsmith-bundle-')),
): string {
  for (const { path, text, mode } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: Number.parseInt(mode, 8) });
  }
  return folder;
}
