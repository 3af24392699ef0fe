import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { debianMirror } from '../../../../lab/images/images.ts';
import { labArtifacts } from '../../../../lab/index.ts';
import { goBuild } from '../../../../lab/kubernetes/compile.ts';
import { fetchDebs } from '../../../../lab/kubernetes/debian.ts';
import { dockerArchive, tarArgv } from '../../../../lab/kubernetes/docker-archive.ts';
import { plainImages } from '../../../../lab/kubernetes/images.ts';
import type { ModuleBuild } from '../../../../lab/kubernetes/modules.ts';
import { nodePackages } from '../../../../lab/kubernetes/recipe.ts';
import type { Build } from '../../../../lab/kubernetes/step.ts';
import { toolchain, type Toolchain } from '../../../../lab/kubernetes/toolchain.ts';
import { filesFolder, place } from '../../../../lab/machine/place.ts';
import { cacheFolder } from '../../../../tasks/runtime/folders.ts';
import { program } from '../../../../tasks/runtime/program.ts';
import { sha256Of } from '../../../../tasks/runtime/sums.ts';
import { must } from '../lab.ts';
import { helmDiff, osaImages, osaModules, osaRelease } from './osa-modules.ts';

/**
 * What the roles of the collections for 2025.1 download for the control plane, at the versions that they name where these
 * can be had: built from their Go modules, as the lab's own Kubernetes is.
 */
export interface OsaPrograms {
  /** Holds `files/<host>/<path>`, `images.tar` and `images.list`, `sums.json`. */
  readonly folder: string;
  /** The lab's own artifacts, which have Cilium's images and chart. */
  readonly cilium: string;
  /** Variables of the roles with the sums of these files, in place of the publishers'. */
  readonly sums: Readonly<Record<string, string>>;
}

const fixtures = join(import.meta.dirname, '../../../fixtures/osa');

/** Builds all of it; once for each of its sources, outside the checkout. */
export async function osaPrograms(): Promise<OsaPrograms> {
  const folder = join(cacheFolder(), 'osa', await digest());
  if (!existsSync(folder)) await make(folder);
  const { folder: lab } = must(await labArtifacts(() => undefined, { extras: ['cilium'] }));
  return {
    folder,
    cilium: lab,
    sums: JSON.parse(await readFile(join(folder, 'sums.json'), 'utf8')) as OsaPrograms['sums'],
  };
}

async function digest(): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([osaModules, osaImages]));
  for (const name of (await readdir(fixtures)).sort())
    hash.update(await readFile(join(fixtures, name, 'go.sum')));
  return hash
    .update(await readFile(import.meta.filename))
    .digest('hex')
    .slice(0, 12);
}

async function make(folder: string): Promise<void> {
  const out = `${folder}.partial`;
  const build: Build = {
    ...{ folder: `${folder}.build`, out, release: osaRelease, extraImages: [], goCache: place().go },
    ...{ mirror: debianMirror(), tell: () => undefined },
  };
  for (const each of [out, build.folder]) {
    await rm(each, { recursive: true, force: true });
    await mkdir(each, { recursive: true });
  }
  const go = await oldToolchain(build);
  for (const module of osaModules) await compile(build, module, go);
  await bases(build, go);
  await pack(build);
  await writeFile(join(out, 'sums.json'), JSON.stringify(await layOut(build, go), undefined, 2));
  await rm(build.folder, { recursive: true });
  await rename(out, folder);
}

async function run(argv: readonly string[], options = {}): Promise<string> {
  const ran = await program(argv, { timeout: 600, ...options });
  if (!ran.ok) throw new Error(ran.failure.stderr);
  return ran.value.stdout.trim();
}

/** A Go of the time of these releases: today's reads no `https://[10.96.0.1]`, which their kubeadm asks about. */
async function oldToolchain({ goCache, mirror, tell }: Build): Promise<Toolchain> {
  const { go, env } = must(await toolchain({ cache: goCache, mirror, tell }));
  return { go, env: { ...env, GOTOOLCHAIN: 'go1.22.12', CGO_ENABLED: '0' } };
}

async function compile({ folder }: Build, module: ModuleBuild, { go, env }: Toolchain): Promise<void> {
  for (const [name, path] of Object.entries(module.programs))
    await run([...goBuild(module, { go, out: join(folder, 'bin', path) }), name], {
      ...{ cwd: join(fixtures, module.folder), env, timeout: 7200 },
    });
}

/** Where Go has a module of one of the fixtures. */
const sourceOf = ({ go, env }: Toolchain, name: string, module: string): Promise<string> =>
  run([go, 'list', '-m', '-f', '{{.Dir}}', module], { cwd: join(fixtures, name), env });

/** What images take from Debian, and the one program that is no Go. */
async function bases(build: Build, go: Toolchain): Promise<void> {
  const { folder, mirror } = build;
  const debs = must(
    await fetchDebs({ folder: join(folder, 'apt'), suite: 'bookworm', mirror, packages: nodePackages }),
  );
  await run(['sh', join(filesFolder, 'kubernetes/proxy-root.sh'), join(folder, 'proxy'), debs]);
  const kubernetes = await sourceOf(go, 'kubernetes-1.28.4', 'k8s.io/kubernetes');
  const source = join(kubernetes, 'build/pause/linux/pause.c');
  await run(['gcc', '-Os', '-static', '-DVERSION=3.10', '-o', join(folder, 'bin/pause'), source]);
}

async function pack({ folder, out }: Build): Promise<void> {
  const plain = must(await plainImages(folder, 'osa', osaImages));
  must(await dockerArchive(plain, { scratch: join(folder, 'archive'), out: join(out, 'images.tar') }));
  await writeFile(join(out, 'images.list'), osaImages.map(({ reference }) => `${reference}\n`).join(''));
}

/** The files by the names that the definition's mirror has, and their sums by those of the roles. */
async function layOut({ folder, out, tell }: Build, go: Toolchain): Promise<Record<string, string>> {
  const { folder: lab } = must(await labArtifacts(tell));
  const bin = join(folder, 'bin');
  const packed = async (name: string, from: string, ...words: readonly string[]): Promise<string> => {
    const archive = join(folder, `${name}.tgz`);
    await run([...tarArgv(archive), '--use-compress-program=gzip -n -1', '-C', from, ...words]);
    return archive;
  };
  await mkdir(join(folder, 'plugin/diff/bin'), { recursive: true });
  await copyFile(join(bin, 'helm-diff/diff'), join(folder, 'plugin/diff/bin/diff'));
  await cp(
    join(await sourceOf(go, 'helm-diff-3.8.1', helmDiff), 'plugin.yaml'),
    join(folder, 'plugin/diff/plugin.yaml'),
  );
  await mkdir(join(folder, 'no-critest'));
  await writeFile(join(folder, 'no-critest/critest'), '#!/bin/sh\nexit 64\n', { mode: 0o755 });
  const github = 'github.com';
  const tools = `${github}/kubernetes-sigs/cri-tools/releases/download/v1.35.0`;
  const files: readonly (readonly [string, string, string])[] = [
    ...['kubeadm', 'kubectl', 'kubelet'].map(
      (name) =>
        [
          `${name}_binary_checksum`,
          `dl.k8s.io/release/v${osaRelease.kubernetes}/bin/linux/amd64/${name}`,
          join(bin, name),
        ] as const,
    ),
    [
      'containerd_archive_checksum',
      `${github}/containerd/containerd/releases/download/v2.3.1/containerd-2.3.1-linux-amd64.tar.gz`,
      join(lab, 'archives/containerd.tar.gz'),
    ],
    [
      'runc_binary_checksum',
      `${github}/opencontainers/runc/releases/download/v1.4.2/runc.amd64`,
      join(lab, 'binaries/runc'),
    ],
    [
      'cni_plugins_archive_checksum',
      `${github}/containernetworking/plugins/releases/download/v1.9.1/cni-plugins-linux-amd64-v1.9.1.tgz`,
      join(lab, 'archives/cni-plugins.tgz'),
    ],
    [
      'cri_tools_crictl_archive_checksum',
      `${tools}/crictl-v1.35.0-linux-amd64.tar.gz`,
      await packed('crictl', join(lab, 'binaries'), 'crictl'),
    ],
    // Nothing calls it, and it is a test, which `go build` does not make.
    [
      'cri_tools_critest_archive_checksum',
      `${tools}/critest-v1.35.0-linux-amd64.tar.gz`,
      await packed('critest', join(folder, 'no-critest'), 'critest'),
    ],
    [
      'helm_binary_checksum',
      'get.helm.sh/helm-v3.11.2-linux-amd64.tar.gz',
      await packed('helm', bin, '--transform=s,^,linux-amd64/,', 'helm'),
    ],
    [
      'helm_diff_checksum',
      `${github}/databus23/helm-diff/releases/download/v3.8.1/helm-diff-linux-amd64.tgz`,
      await packed('helm-diff', join(folder, 'plugin'), 'diff'),
    ],
    [
      'clusterctl_binary_checksum',
      `${github}/kubernetes-sigs/cluster-api/releases/download/v1.8.4/clusterctl-linux-amd64`,
      join(bin, 'capi/clusterctl'),
    ],
  ];
  const sums: Record<string, string> = {};
  for (const [variable, path, from] of files) {
    const to = join(out, 'files', path);
    await mkdir(dirname(to), { recursive: true });
    await copyFile(from, to);
    sums[variable] = await sha256Of(to);
  }
  return sums;
}
