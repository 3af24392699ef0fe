import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../generators/result.ts';
import { program } from '../../tasks/runtime/program.ts';
import { programFailure, type LabFailure } from '../machine/lab-failure.ts';
import { tarArgv } from './docker-archive.ts';
import { hostPrograms } from './recipe.ts';
import type { Build } from './step.ts';

/** The programs of hosts, and the archives of containerd and the CNI plugins as their projects publish them. */
export async function packPrograms({ folder, out }: Build): Promise<Result<void, LabFailure>> {
  for (const name of ['binaries', 'archives']) await mkdir(join(out, name), { recursive: true });
  for (const name of hostPrograms) await copyFile(join(folder, 'bin', name), join(out, 'binaries', name));
  const bin = join(folder, 'bin');
  const archives = [
    ['containerd.tar.gz', '--transform=s,^containerd,bin,', 'containerd'],
    ['cni-plugins.tgz', '--transform=s,^cni-plugins,.,', 'cni-plugins'],
  ] as const;
  for (const [name, transform, member] of archives) {
    const packed = await program(
      [...tarArgv(join(out, 'archives', name)), compressProgram, transform, '-C', bin, member],
      { timeout: 300 },
    );
    if (!packed.ok) return programFailure(`Packing ${name}`, packed.failure);
  }
  return ok(undefined);
}

/** Without the time of day, which gzip would write down. */
const compressProgram = '--use-compress-program=gzip -n -1';
