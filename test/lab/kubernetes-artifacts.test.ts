import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Index } from '../../tasks/artifacts/seal.ts';
import { filesBelow, sha256Of } from '../../tasks/artifacts/sums.ts';
import { echoImage, flannelPluginImage, nfsImage, nodePackages } from '../../tasks/lab/kubernetes/recipe.ts';
import { labVersion, releaseOf } from '../../tasks/lab/kubernetes/releases.ts';
import { labArtifacts, type LabArtifacts } from '../../tasks/lab/index.ts';
import { program } from '../../tasks/runtime/program.ts';
import { must } from '../support/lab.ts';
import { there } from '../support/there.ts';

const flannelImages = [
  `ghcr.io/flannel-io/flannel:v${there(releaseOf(labVersion)).flannel}`,
  flannelPluginImage,
];

const run = async (...argv: readonly string[]): Promise<string> => {
  const ran = await program(argv, { timeout: 300 });
  if (!ran.ok) throw new Error(`${ran.failure.message}: ${ran.failure.stderr}`);
  return ran.value.stdout.trim();
};

// The others are built by the tests of upgrades, and looked at there.
describe.each([labVersion])("the lab's Kubernetes %s", (version) => {
  let made: LabArtifacts;

  beforeAll(async () => {
    made = must(await labArtifacts(() => undefined, { version }));
  });

  const at = (path: string): string => join(made.folder, path);
  const lines = async (path: string): Promise<readonly string[]> =>
    (await readFile(at(path), 'utf8')).trimEnd().split('\n');
  const index = async (): Promise<Index> => JSON.parse(await readFile(at('index.json'), 'utf8')) as Index;

  it('is a folder whose checksums name every other file, and are right', async () => {
    const named = (await lines('SHA256SUMS')).map((line) => line.slice(66));
    const others = (await filesBelow(made.folder)).filter((path) => path !== 'SHA256SUMS');
    expect(named).toEqual([...others].sort());
    await run('sh', '-c', 'cd "$1" && sha256sum --quiet --check SHA256SUMS', 'sh', made.folder);
    expect(made.sha256).toBe(await sha256Of(at('SHA256SUMS')));
  });

  it('has an index that tells size, sum and origin of each file, and that it is no release', async () => {
    const { files, kubernetes, note = '' } = await index();
    expect(kubernetes).toBe(version);
    expect(note).toMatch(/lab/);
    expect(note).toContain('No release of the Kubernetes project');
    const sums = new Map((await lines('SHA256SUMS')).map((line) => [line.slice(66), line.slice(0, 64)]));
    for (const { path, sha256 } of files) expect(sha256, path).toBe(sums.get(path));
    for (const { path, origin } of files) expect(origin, path).not.toBe('');
    expect(files.find(({ path }) => path === 'binaries/kubelet')?.origin).toContain(
      'built from its Go modules',
    );
  });

  it('has the images that its kubeadm asks for, and those to try with', async () => {
    const wanted = await run(
      at('binaries/kubeadm'),
      ...['config', 'images', 'list', '--kubernetes-version', `v${version}`],
    );
    const listed = [...(await lines('images/control-plane.list')), ...(await lines('images/node.list'))];
    expect([...listed].sort()).toEqual([...wanted.split('\n'), ...flannelImages, echoImage, nfsImage].sort());
    expect((await index()).images).toEqual([...listed].sort());
  });

  it.each(['control-plane', 'node'])('has them in the archive for %s', async (set) => {
    const manifest = JSON.parse(
      await run('tar', '-xOf', at(`images/${set}.tar`), './manifest.json'),
    ) as readonly { readonly RepoTags: readonly string[] }[];
    expect(manifest.flatMap(({ RepoTags }) => RepoTags)).toEqual(await lines(`images/${set}.list`));
  });

  it('says its version', async () => {
    expect(await run(at('binaries/kubelet'), '--version')).toBe(`Kubernetes v${version}`);
    expect(await run(at('binaries/kubeadm'), 'version', '--output', 'short')).toBe(`v${version}`);
    expect(await run(at('binaries/kubectl'), 'version', '--client')).toContain(`Client Version: v${version}`);
  });

  it('brings containerd, runc and the CNI plugins as their projects publish them', async () => {
    const members = async (path: string): Promise<readonly string[]> =>
      (await run('tar', '-tzf', at(path))).split('\n').filter((name) => !name.endsWith('/'));
    expect(await members('archives/containerd.tar.gz')).toEqual(
      ['containerd', 'containerd-shim-runc-v2', 'ctr'].map((name) => `bin/${name}`),
    );
    expect((await members('archives/cni-plugins.tgz')).map((name) => basename(name))).toEqual(
      expect.arrayContaining(['bridge', 'host-local', 'loopback', 'portmap']),
    );
    expect(await run(at('binaries/runc'), '--version')).toContain(
      `runc version ${made.containerd.runc.version}`,
    );
    expect(made.containerd.sha256).toBe(await sha256Of(at('archives/containerd.tar.gz')));
    expect(made.containerd.runc.sha256).toBe(await sha256Of(at('binaries/runc')));
  });

  it.each(['debian-12', 'debian-13'])(
    "has the nodes' packages of %s as a repository of apt",
    async (system) => {
      const packages = await run('tar', '-xOf', at(`packages/${system}.tar`), 'Packages');
      const names = [...packages.matchAll(/^Package: (\S+)$/gm)].map((match) => match[1]);
      expect(names).toEqual(expect.arrayContaining(nodePackages));
      const members = (await run('tar', '-tf', at(`packages/${system}.tar`))).split('\n');
      const files = [...packages.matchAll(/^Filename: (\S+)$/gm)].map((match) => basename(match[1] ?? ''));
      expect([...members].sort()).toEqual(['Packages', ...files].sort());
    },
  );

  it('is what the cache has the next time', async () => {
    const told: string[] = [];
    expect(must(await labArtifacts((text) => told.push(text), { version }))).toEqual(made);
    expect(told).toEqual([]);
  });
});
