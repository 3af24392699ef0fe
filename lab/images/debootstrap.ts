import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../generators/result.ts';
import { program } from '../../tasks/runtime/program.ts';
import { programFailure, type LabFailure, type OnProgress } from '../machine/lab-failure.ts';
import { filesFolder } from '../machine/place.ts';
import { debootstrapArgv, type BootstrapFiles, type Recipe } from './recipe.ts';

/** Makes a Debian out of packages, with what customize.sh does to it. `scratch` is a folder for all that is not kept. */
export async function debootstrap(
  value: Recipe,
  { scratch, ...files }: Omit<BootstrapFiles, 'script'> & { readonly scratch: string },
  tell: OnProgress,
): Promise<Result<void, LabFailure>> {
  await mkdir(scratch, { recursive: true });
  tell(`Building Debian ${value.suite} from packages of ${files.mirror} (about a minute)`);
  const argv = debootstrapArgv(value, { ...files, script: join(filesFolder, 'customize.sh') });
  const made = await program(argv, { timeout: 1800, env: { TMPDIR: scratch, LC_ALL: 'C.UTF-8' } });
  return made.ok ? ok(undefined) : programFailure(`Making Debian ${value.suite}`, made.failure);
}
