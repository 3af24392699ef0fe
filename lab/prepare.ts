import { ok, type Result } from '../generators/result.ts';
import { program } from '../tasks/runtime/program.ts';
import { programFailure, type LabFailure, type OnProgress } from './machine/lab-failure.ts';
import type { MachineChange } from './preflight.ts';

/** Installs exactly the announced packages; the other changes belong to one lab and are made by `up`. */
export async function prepare(
  changes: readonly MachineChange[],
  tell: OnProgress,
): Promise<Result<void, LabFailure>> {
  for (const change of changes) {
    if (change.kind !== 'packages') continue;
    tell(`Installing ${change.packages.join(' ')}`);
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    const install = ['apt-get', 'install', '--yes', '--no-install-recommends', ...change.packages];
    if ((await program(install, { env, timeout: 900 })).ok) continue;
    const updated = await program(['apt-get', 'update'], { env, timeout: 600 });
    if (!updated.ok) return programFailure('Reading the lists of packages', updated.failure);
    const installed = await program(install, { env, timeout: 900 });
    if (!installed.ok) return programFailure('Installing packages', installed.failure);
  }
  return ok(undefined);
}
