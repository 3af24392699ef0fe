import { readdir, rename } from 'node:fs/promises';
import { ok, type Result } from '../../../generators/result.ts';
import { program, type ProgramOptions } from '../../../tasks/runtime/program.ts';
import { labFailure, programFailure, type LabFailure } from '../../machine/lab-failure.ts';
import type { Lab } from '../../state/lab.ts';
import { suiteOf } from '../../state/shape.ts';
import { privateFolder, seedFolder, type StoredHost } from '../../state/state.ts';
import { diskImage } from './disk-image.ts';
import { machineDisk, machineFolder } from './files.ts';

/** A copy of the Debian that all begin with, and on it the folder /lab, which makes it this host. */
export async function makeDisk(
  { engine: { place }, state }: Lab,
  host: StoredHost,
): Promise<Result<void, LabFailure>> {
  const disk = machineDisk(place, state.name, host.name);
  const partial = `${disk}.partial`;
  const purpose = `Making the disk of ${host.name}`;
  const image = await diskImage(place, suiteOf(host));
  await privateFolder(machineFolder(place, state.name, host.name));
  const copied = await run(purpose, ['cp', '--sparse=always', '--reflink=auto', image.disk, partial]);
  if (!copied.ok) return copied;
  const seed = seedFolder(place, state.name, host.name);
  const files = await readdir(seed);
  const commands = ['mkdir /lab', 'cd /lab', ...files.map((file) => `write ${file} ${file}`)];
  const written = await run(purpose, ['debugfs', '-w', '-f', '-', partial], {
    cwd: seed,
    input: `${commands.join('\n')}\n`,
  });
  if (!written.ok) return written;
  // It ends well whatever happened; its first line is its version, any other one a complaint.
  const complaints = written.value.trim().split('\n').slice(1);
  if (complaints.length > 0) return labFailure(purpose, 'Read the lines above', complaints.join('\n'));
  await rename(partial, disk);
  return ok(undefined);
}

async function run(
  purpose: string,
  argv: readonly string[],
  options: ProgramOptions = {},
): Promise<Result<string, LabFailure>> {
  const ran = await program(argv, { timeout: 300, ...options });
  return ran.ok ? ok(ran.value.stderr) : programFailure(purpose, ran.failure);
}
