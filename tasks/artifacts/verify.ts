import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import { indexFile, type Index } from './seal.ts';
import { digestOf, filesBelow, parseSums, sha256Of, sumsFile } from '../runtime/sums.ts';

export interface VerifiedFolder {
  /** SHA-256 of SHA256SUMS. */
  readonly sha256: string;
  readonly sums: ReadonlyMap<string, string>;
  readonly index: Index;
}

/** Every file of a folder of artifacts against its SHA256SUMS: what is wrong, missing or strange is named, all at once. */
export async function verify(folder: string): Promise<Result<VerifiedFolder, Failure>> {
  try {
    const text = await readFile(join(folder, sumsFile));
    const sums = parseSums(text.toString('utf8'));
    const present = (await filesBelow(folder)).filter((path) => path !== sumsFile);
    const faults = [
      ...[...sums.keys()].filter((path) => !present.includes(path)).map((path) => `missing: ${path}`),
      ...present.filter((path) => !sums.has(path)).map((path) => `not in ${sumsFile}: ${path}`),
    ];
    for (const path of present)
      if (sums.has(path) && (await sha256Of(join(folder, path))) !== sums.get(path))
        faults.push(`changed: ${path}`);
    if (faults.length > 0) return failed(unsound(folder, faults));
    const index = JSON.parse(await readFile(join(folder, indexFile), 'utf8')) as Index;
    return ok({ sha256: digestOf(text), sums, index });
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return failed({
      kind: 'file',
      message: isMissing
        ? `${folder} holds no complete artifacts: there is no ${sumsFile}`
        : `cannot read ${folder}: ${(error as Error).message}`,
      next: 'Run `npx task artifacts prepare`',
    });
  }
}

const unsound = (folder: string, faults: readonly string[]): Failure => ({
  kind: 'bundle',
  message: `${folder} is not what its ${sumsFile} says`,
  evidence: faults.join('\n'),
});
