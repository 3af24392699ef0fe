import { randomBytes } from 'node:crypto';
import { chmod, chown, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Gives a file a text, whole or not at all, also when the power fails. A file that is there keeps its mode, its owner as far
 * as we may, and the links to it; `mode`: of one that is not.
 */
export async function replaceDurably(path: string, text: string, mode = 0o666): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const partial = `${target}.${randomBytes(4).toString('hex')}.partial`;
  try {
    const file = await open(partial, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await likeBefore(target, partial);
    await rename(partial, target);
    await flushFolder(dirname(target));
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function likeBefore(target: string, partial: string): Promise<void> {
  const before = await stat(target).catch(() => undefined);
  if (before === undefined) return;
  await chown(partial, before.uid, before.gid).catch(() => undefined);
  await chmod(partial, before.mode & 0o7777);
}

/** Names in a folder are on the disk. Some file systems have nothing to flush of a folder. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().catch(() => undefined);
  await handle.close();
}
