import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mirrorOf } from '../../../tasks/artifacts/mirror.ts';
import type { Index } from '../../../tasks/artifacts/seal.ts';
import { filesBelow, sha256Of } from '../../../tasks/runtime/sums.ts';
import { echoImage, flannelPluginImage, nfsImage, nodePackages } from '../../../lab/kubernetes/recipe.ts';
import { labVersion, releaseOf } from '../../../lab/kubernetes/releases.ts';
import { labArtifacts, type LabArtifacts } from '../../../lab/index.ts';
import { place } from '../../../lab/machine/place.ts';
import { program } from '../../../tasks/runtime/program.ts';
import { must } from '../../support/hosts/lab.ts';
import { sha256, startPublishers, tarball, type Publishers } from '../../support/server/publishers.ts';
import { there } from '../../support/there.ts';

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

describe("the lab's Kubernetes where the publishers' releases are reached", () => {
  const release = there(releaseOf(labVersion));
  const addresses = {
    kubernetes: `dl.k8s.io/release/v${release.kubernetes}/bin/linux/amd64`,
    crictl: `github.com/kubernetes-sigs/cri-tools/releases/download/v1.37.0/crictl-v1.37.0-linux-amd64.tar.gz`,
    containerd: `github.com/containerd/containerd/releases/download/v${release.containerd}/containerd-${release.containerd}-linux-amd64.tar.gz`,
    runc: `github.com/opencontainers/runc/releases/download/v${release.runc}`,
    plugins: `github.com/containernetworking/plugins/releases/download/v1.9.1/cni-plugins-linux-amd64-v1.9.1.tgz`,
  };
  const told: string[] = [];
  let built: LabArtifacts;
  let publishers: Publishers;
  let folder: string;

  beforeAll(async () => {
    built = must(await labArtifacts(() => undefined));
    folder = await mkdtemp(join(tmpdir(), 'playsmith-published-'));
    publishers = await startPublishers();
    await publish();
  });
  afterAll(async () => {
    publishers.close();
    await rm(folder, { recursive: true, force: true });
  });

  const fromThem = (kubernetes: string): ReturnType<typeof labArtifacts> =>
    labArtifacts((text) => told.push(text), {
      where: { ...place(), kubernetes },
      mirror: mirrorOf(publishers.url),
    });

  async function publish(): Promise<void> {
    const summed = (address: string, content: Buffer, suffix = '.sha256'): void => {
      publishers.file(address, content);
      publishers.file(address + suffix, `${sha256(content)}  ${basename(address)}\n`);
    };
    const ours = (path: string): Promise<Buffer> => readFile(join(built.folder, path));
    for (const name of ['kubeadm', 'kubelet', 'kubectl'])
      summed(`${addresses.kubernetes}/${name}`, await ours(`binaries/${name}`));
    summed(addresses.crictl, await tarball('crictl', 'the real crictl'));
    summed(addresses.containerd, await ours('archives/containerd.tar.gz'), '.sha256sum');
    summed(addresses.plugins, await ours('archives/cni-plugins.tgz'));
    const runc = await ours('binaries/runc');
    publishers.file(`${addresses.runc}/runc.amd64`, runc);
    const lines = [`${'0'.repeat(64)} *runc.arm64`, `${sha256(runc)} *runc.amd64`];
    publishers.file(
      `${addresses.runc}/runc.sha256sum`,
      `-----BEGIN PGP SIGNED MESSAGE-----\n\n${lines.join('\n')}\n`,
    );
    for (const set of ['control-plane', 'node'])
      for (const image of (await ours(`images/${set}.list`)).toString('utf8').trim().split('\n'))
        if (!image.startsWith('docker.io/lab/')) await publishers.image(image, [basename(image)]);
  }

  it('is fetched from them, whole, with the workloads of the lab in the same archive', async () => {
    const made = must(await fromThem(join(folder, 'whole')));
    const index = JSON.parse(await readFile(join(made.folder, 'index.json'), 'utf8')) as Index;
    const origin = (path: string): string => index.files.find((file) => file.path === path)?.origin ?? '';
    expect(origin('binaries/kubelet')).toContain(`https://${addresses.kubernetes}/kubelet`);
    expect(origin('binaries/runc')).toContain(`https://${addresses.runc}/runc.amd64`);
    expect(index.files.filter((file) => file.origin === '')).toEqual([]);
    expect(index.note).toContain("publishers' releases");
    const paths = async (at: string): Promise<readonly string[]> => [...(await filesBelow(at))].sort();
    expect(await paths(made.folder)).toEqual(await paths(built.folder));
    for (const set of ['control-plane', 'node']) {
      const lines = async (at: string): Promise<readonly string[]> =>
        (await readFile(join(at, `images/${set}.list`), 'utf8')).trim().split('\n').sort();
      expect(await lines(made.folder)).toEqual(await lines(built.folder));
    }
    const layout = await run('tar', '-xOf', join(made.folder, 'images/node.tar'), 'index.json');
    expect(layout).toContain(`"io.containerd.image.name":"${echoImage}"`);
    expect(layout).toContain(`"io.containerd.image.name":"${nfsImage}"`);
    expect(await readFile(join(made.folder, 'binaries/crictl'), 'utf8')).toBe('the real crictl');
    expect(made.containerd).toEqual(built.containerd);
    expect(told.filter((text) => text.includes('from its Go modules'))).toHaveLength(1);
  });

  it('is built from Go modules all the same when something of it cannot be had', async () => {
    told.length = 0;
    publishers.file(`${addresses.runc}/runc.sha256sum`, 'nothing\n');
    const made = must(await fromThem(join(folder, 'built')));
    expect(told.join('\n')).toMatch(
      /cannot be had whole, so they are built: .*runc\.sha256sum holds no checksum/,
    );
    for (const path of ['binaries/kubelet', 'binaries/runc', 'archives/containerd.tar.gz'])
      expect(await sha256Of(join(made.folder, path)), path).toBe(await sha256Of(join(built.folder, path)));
  });
});
