import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Index } from '../../tasks/artifacts/seal.ts';
import { filesBelow, sha256Of } from '../../tasks/artifacts/sums.ts';
import { echoImage, nfsImage, nodePackages } from '../../tasks/lab/kubernetes/recipe.ts';
import { labArtifacts, type LabArtifacts } from '../../tasks/lab/index.ts';
import { program } from '../../tasks/runtime/program.ts';
import { must } from '../support/lab.ts';

const run = async (...argv: readonly string[]): Promise<string> => {
  const ran = await program(argv, { timeout: 300 });
  if (!ran.ok) throw new Error(`${ran.failure.message}: ${ran.failure.stderr}`);
  return ran.value.stdout.trim();
};

describe.each(['1.20.2', '1.20.5'])("the lab's Kubernetes %s", (version) => {
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
    if (version === '1.20.2')
      expect(files.find(({ path }) => path === 'binaries/kubelet')?.origin).toContain(
        "Debian's source package",
      );
  });

  it('has the images that its kubeadm asks for, and those to try with', async () => {
    const wanted = await run(
      at('binaries/kubeadm'),
      ...['config', 'images', 'list', '--kubernetes-version', `v${version}`],
    );
    const listed = [...(await lines('images/control-plane.list')), ...(await lines('images/node.list'))];
    expect([...listed].sort()).toEqual([...wanted.split('\n'), echoImage, nfsImage].sort());
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
    expect(await run(at('binaries/kubectl'), 'version', '--client', '--short')).toContain(`v${version}`);
  });

  it("has the nodes' packages as a repository of apt", async () => {
    const packages = await run('tar', '-xOf', at('packages/debian-12.tar'), 'Packages');
    const names = [...packages.matchAll(/^Package: (\S+)$/gm)].map((match) => match[1]);
    expect(names).toEqual(expect.arrayContaining(nodePackages));
    const members = (await run('tar', '-tf', at('packages/debian-12.tar'))).split('\n');
    const files = [...packages.matchAll(/^Filename: (\S+)$/gm)].map((match) => basename(match[1] ?? ''));
    expect([...members].sort()).toEqual(['Packages', ...files].sort());
  });

  it('is what the cache has the next time', async () => {
    const told: string[] = [];
    expect(must(await labArtifacts((text) => told.push(text), { version }))).toEqual(made);
    expect(told).toEqual([]);
  });
});
