import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../generators/result.ts';
import { program } from '../../tasks/runtime/program.ts';
import { programFailure, type LabFailure } from '../machine/lab-failure.ts';
import { fetchDebs } from './debian.ts';
import { tarArgv } from './docker-archive.ts';
import { nodePackages, suites } from './recipe.ts';
import { running, type Build } from './step.ts';

type SuiteName = keyof typeof suites;

const systems = Object.keys(suites) as readonly SuiteName[];

/** Fetches the nodes' packages of each Debian, with all they depend on. */
export async function fetchPackages(build: Build): Promise<Result<void, LabFailure>> {
  build.tell(`Fetching the nodes' packages of ${systems.join(' and ')} from ${build.mirror} (150 MB)`);
  for (const system of systems) {
    const fetched = await fetchDebs({
      folder: join(build.folder, `apt-${system}`),
      suite: suites[system],
      mirror: build.mirror,
      packages: nodePackages,
    });
    if (!fetched.ok) return fetched;
  }
  return ok(undefined);
}

/** Where the fetched packages of a Debian lie until they are packed. */
export const nodePackagesOf = ({ folder }: Build, system: SuiteName): string =>
  join(folder, `apt-${system}`, 'archives');

/** Makes `packages/debian-12.tar` and its like: the nodes' packages as a repository for apt that is one flat folder. */
export async function packPackages(build: Build): Promise<Result<void, LabFailure>> {
  await mkdir(join(build.out, 'packages'), { recursive: true });
  for (const system of systems) {
    const packed = await packRepository(build, system);
    if (!packed.ok) return packed;
  }
  return ok(undefined);
}

async function packRepository(build: Build, system: SuiteName): Promise<Result<void, LabFailure>> {
  const from = nodePackagesOf(build, system);
  const repository = join(build.folder, `repository-${system}`);
  await mkdir(repository, { recursive: true });
  const debs = (await readdir(from)).filter((name) => name.endsWith('.deb'));
  for (const name of debs) await rename(join(from, name), join(repository, name));
  const scanned = await program(['dpkg-scanpackages', '--multiversion', '.'], {
    cwd: repository,
    timeout: 300,
    env: { LC_ALL: 'C' },
  });
  if (!scanned.ok) return programFailure("Listing the nodes' packages", scanned.failure);
  await writeFile(join(repository, 'Packages'), scanned.value.stdout);
  const out = join(build.out, `packages/${system}.tar`);
  return running("Packing the nodes' packages", [
    ...tarArgv(out),
    ...['-C', repository, 'Packages', ...debs.sort()],
  ])();
}
