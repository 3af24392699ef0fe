import { readFile, rm } from 'node:fs/promises';
import { ok, type Result } from '../../generators/result.ts';
import { program } from '../../tasks/runtime/program.ts';
import { labFailure, type LabFailure } from './lab-failure.ts';

/** Ends every mount of a folder; one that is used stays. */
export async function unmount(folder: string): Promise<void> {
  while ((await program(['mountpoint', '--quiet', folder])).ok)
    if (!(await program(['umount', folder])).ok) return;
}

/**
 * Removes what a build left that was killed: mmdebstrap has `/proc`, `/sys` and devices of this machine mounted below its
 * folder then, and nothing of those may be removed with it.
 */
export async function removeBuild(folder: string): Promise<Result<void, LabFailure>> {
  for (const path of await mountsBelow(folder)) await unmount(path);
  const [left] = await mountsBelow(folder);
  if (left !== undefined)
    return labFailure(
      `${left}, which a build that was killed mounted, cannot be unmounted`,
      `See who uses it: fuser --verbose --mount ${left}`,
    );
  await rm(folder, { recursive: true, force: true });
  return ok(undefined);
}

/** Where something is mounted in a folder, the deepest first. */
async function mountsBelow(folder: string): Promise<readonly string[]> {
  const lines = (await readFile('/proc/self/mounts', 'utf8')).split('\n');
  const paths = lines.map((line) => decodePath(line.split(' ')[1] ?? ''));
  return [...new Set(paths)]
    .filter((path) => path.startsWith(`${folder}/`))
    .sort()
    .reverse();
}

/** The kernel writes a space as `\040`. */
const decodePath = (path: string): string =>
  path.replaceAll(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
