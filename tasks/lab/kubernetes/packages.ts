import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Result } from '../../../generators/result.ts';
import { program } from '../../runtime/program.ts';
import { programFailure, type LabFailure } from '../lab-failure.ts';
import { fetched } from './debian.ts';
import { tarArgv } from './docker-archive.ts';
import { running, type Build } from './step.ts';

/** Makes `packages/debian-12.tar`: the nodes' packages as a repository for apt that is one flat folder. */
export async function packPackages({ folder, out }: Build): Promise<Result<void, LabFailure>> {
  const from = join(folder, fetched.node);
  const repository = join(folder, 'repository');
  await mkdir(repository, { recursive: true });
  await mkdir(join(out, 'packages'), { recursive: true });
  const debs = (await readdir(from)).filter((name) => name.endsWith('.deb'));
  for (const name of debs) await rename(join(from, name), join(repository, name));
  const scanned = await program(['dpkg-scanpackages', '--multiversion', '.'], {
    cwd: repository,
    timeout: 300,
    env: { LC_ALL: 'C' },
  });
  if (!scanned.ok) return programFailure("Listing the nodes' packages", scanned.failure);
  await writeFile(join(repository, 'Packages'), scanned.value.stdout);
  const tar = [...tarArgv(join(out, 'packages/debian-12.tar')), '-C', repository, 'Packages', ...debs.sort()];
  return running("Packing the nodes' packages", tar)();
}

/** `name version` of the source package, and of a fetched package by its name, as the index tells them. */
export async function origins({ folder, version }: Build): Promise<ReadonlyMap<string, string>> {
  const dsc = (await readdir(join(folder, fetched.source))).find((name) => name.endsWith('.dsc')) ?? '';
  const source = `Debian's source package ${dsc.replace('_', ' ').replace(/\.dsc$/, '')}`;
  const built = `built from ${source}, as v${version}`;
  const standIn = "the lab's stand-in: test/lab/kubernetes-sources";
  return new Map([
    ...['kubeadm', 'kubelet', 'kubectl'].map((name) => [`binaries/${name}`, built] as const),
    ['binaries/crictl', `${standIn}/crictl`],
    ['images/control-plane.tar', `${built}; etcd from Debian's etcd-server`],
    ['images/node.tar', `${built}; coredns, echo and nfs: ${standIn}; pause: Debian's catatonit`],
    ['packages/debian-12.tar', 'Debian 12'],
  ]);
}
