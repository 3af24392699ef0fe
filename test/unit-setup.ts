import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll } from 'vitest';

// What the tests of a file leave in the temporary directory goes away with them.
const usual = tmpdir();
const folder = mkdtempSync(join(usual, 'playsmith-unit-'));
process.env['TMPDIR'] = folder;

afterAll(() => {
  process.env['TMPDIR'] = usual;
  rmSync(folder, { recursive: true, force: true });
});
