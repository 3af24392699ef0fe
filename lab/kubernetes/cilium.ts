import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Result } from '../../generators/result.ts';
import { program } from '../../tasks/runtime/program.ts';
import { programFailure, type LabFailure } from '../machine/lab-failure.ts';
import { filesFolder } from '../machine/place.ts';
import { compileModules, sources } from './compile.ts';
import { fetchDebs } from './debian.ts';
import { tarArgv } from './docker-archive.ts';
import type { ModuleBuild } from './modules.ts';
import { nodePackagesOf } from './packages.ts';
import type { ImageRecipe } from './recipe.ts';
import { inOrder, running, type Build } from './step.ts';

export const ciliumVersion = '1.20.2';
export const helmVersion = '3.22.0';

const module = 'github.com/cilium/cilium';

/** Without Envoy, which is no Go: policies of HTTP need it, those of addresses and ports do not. */
export const ciliumModule: ModuleBuild = {
  folder: `cilium-${ciliumVersion}`,
  title: `Cilium ${ciliumVersion}`,
  programs: {
    [`${module}/daemon`]: 'cilium/cilium-agent',
    [`${module}/operator`]: 'cilium/cilium-operator-generic',
    [`${module}/cilium-dbg`]: 'cilium/cilium-dbg',
    [`${module}/cilium-health/responder`]: 'cilium/cilium-health-responder',
    [`${module}/plugins/cilium-cni`]: 'cilium/cilium-cni',
    [`${module}/tools/mount`]: 'cilium/cilium-mount',
    [`${module}/tools/sysctlfix`]: 'cilium/cilium-sysctlfix',
  },
  tags: 'osusergo,ipam_provider_operator',
  values: { [`${module}/pkg/version.ciliumVersion`]: ciliumVersion },
};

export const helm: ModuleBuild = {
  folder: `helm-${helmVersion}`,
  title: `helm ${helmVersion}`,
  programs: { 'helm.sh/helm/v3/cmd/helm': 'helm' },
  values: { 'helm.sh/helm/v3/internal/version.version': `v${helmVersion}` },
};

/** What Cilium's agent calls, from Debian 12: the clang that its own image has, since it compiles for each node. */
export const ciliumPackages = [
  ...['bash', 'coreutils', 'grep', 'sed', 'util-linux', 'mount', 'kmod', 'iproute2'],
  ...['clang-19', 'bpftool', 'ca-certificates'],
];

/** The images that Cilium's chart names without Envoy and Hubble. */
export const ciliumImages: readonly ImageRecipe[] = [
  {
    reference: `quay.io/cilium/cilium:v${ciliumVersion}`,
    set: 'node',
    entrypoint: [],
    command: ['/usr/bin/cilium-dbg'],
    base: 'cilium',
    files: {},
  },
  {
    reference: `quay.io/cilium/operator-generic:v${ciliumVersion}`,
    set: 'node',
    entrypoint: [],
    command: ['/usr/bin/cilium-operator-generic'],
    files: { 'usr/bin/cilium-operator-generic': 'bin/cilium/cilium-operator-generic' },
  },
];

/** Builds what Cilium's images hold, and helm; takes its chart from its source, as it is published. */
export async function makeCilium(build: Build): Promise<Result<void, LabFailure>> {
  const { folder, out, mirror } = build;
  const go = await compileModules(build, [ciliumModule, helm]);
  if (!go.ok) return go;
  const found = await program([go.value.go, 'list', '-m', '-f', '{{.Dir}}', module], {
    cwd: join(sources, ciliumModule.folder),
    env: go.value.env,
  });
  if (!found.ok) return programFailure('Finding the source of Cilium', found.failure);
  const source = found.value.stdout.trim();
  const debs = await fetchDebs({
    folder: join(folder, 'apt-cilium'),
    suite: 'bookworm',
    mirror,
    packages: ciliumPackages,
  });
  if (!debs.ok) return debs;
  await mkdir(join(out, 'charts'), { recursive: true });
  const chart = [...tarArgv(join(out, 'charts/cilium.tgz')), '--use-compress-program=gzip -n'];
  return inOrder([
    running('Making the image of Cilium', [
      ...['sh', join(filesFolder, 'cilium/root.sh'), join(folder, 'cilium'), join(folder, 'bin/cilium')],
      ...[source, nodePackagesOf(build, 'debian-12'), debs.value],
    ]),
    running('Packing the chart of Cilium', [...chart, '-C', join(source, 'install/kubernetes'), 'cilium']),
    running('Packing helm', ['install', '-D', join(folder, 'bin/helm'), join(out, 'binaries/helm')]),
  ]);
}
