import { join } from 'node:path';
import type { Result } from '../../generators/result.ts';
import { createFolder } from '../../tasks/runtime/folders.ts';
import { holdProgram, program } from '../../tasks/runtime/program.ts';
import { labFailure, type LabFailure, type OnProgress } from './lab-failure.ts';
import type { LabPlace } from './place.ts';

/** Lets one lab command at a time change things; the kernel frees the lock of one that was killed. */
export async function withLock<Value>(
  { folder }: LabPlace,
  tell: OnProgress,
  work: () => Promise<Result<Value, LabFailure>>,
  name = 'lock',
): Promise<Result<Value, LabFailure>> {
  createFolder(folder, 0o700);
  const file = join(folder, name);
  if (!(await program(['flock', '--nonblock', file, 'true'])).ok)
    tell('Waiting for another lab command to end');
  const held = await holdProgram(['flock', '--timeout', '3600', file, 'sh', '-c', 'echo held; exec cat']);
  if (held === undefined)
    return labFailure('The lab cannot be locked', `See who holds ${file}: fuser ${file}`);
  try {
    return await work();
  } finally {
    await held.release();
  }
}
