import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../generators/result.ts';
import { program } from '../../tasks/runtime/program.ts';
import { programFailure, type LabFailure } from '../machine/lab-failure.ts';
import { filesFolder } from '../machine/place.ts';
import { compileModules, sources } from './compile.ts';
import { fetchDebs } from './debian.ts';
import type { ModuleBuild } from './modules.ts';
import { nodePackagesOf } from './packages.ts';
import type { ImageRecipe } from './recipe.ts';
import { inOrder, running, type Build } from './step.ts';

/** The newest whose module can be had: of the branch of 3.28, as its manifest names it. */
export const calicoVersion = '3.28.5';

const module = 'github.com/projectcalico/calico';

/** Without BIRD, which is no Go: `encapsulation: vxlan` needs none. */
export const calicoModule: ModuleBuild = {
  folder: `calico-${calicoVersion}`,
  title: `Calico ${calicoVersion}`,
  programs: {
    [`${module}/node/cmd/calico-node`]: 'calico-node',
    [`${module}/cni-plugin/cmd/calico`]: 'calico-cni/calico',
    [`${module}/cni-plugin/cmd/install`]: 'calico-cni/install',
    [`${module}/kube-controllers/cmd/kube-controllers`]: 'calico-controllers/kube-controllers',
    [`${module}/kube-controllers/cmd/check-status`]: 'calico-controllers/check-status',
  },
  values: {
    'main.VERSION': `v${calicoVersion}`,
    [`${module}/node/buildinfo.GitVersion`]: `v${calicoVersion}`,
    [`${module}/node/pkg/lifecycle/startup.VERSION`]: `v${calicoVersion}`,
  },
};

/** The images that Calico's manifest names. */
export const calicoImages: readonly ImageRecipe[] = [
  {
    reference: `docker.io/calico/node:v${calicoVersion}`,
    set: 'node',
    entrypoint: [],
    command: ['start_runit'],
    base: 'calico-node',
    files: {},
  },
  {
    reference: `docker.io/calico/cni:v${calicoVersion}`,
    set: 'node',
    entrypoint: [],
    files: {
      'opt/cni/bin/install': 'bin/calico-cni/install',
      // One program, which goes by the name that it is called by.
      'opt/cni/bin/calico': 'bin/calico-cni/calico',
      'opt/cni/bin/calico-ipam': 'bin/calico-cni/calico',
    },
  },
  {
    reference: `docker.io/calico/kube-controllers:v${calicoVersion}`,
    set: 'node',
    entrypoint: ['/usr/bin/kube-controllers'],
    files: {
      'usr/bin/kube-controllers': 'bin/calico-controllers/kube-controllers',
      'usr/bin/check-status': 'bin/calico-controllers/check-status',
    },
  },
];

/** Builds what Calico's images hold, and takes its manifest from its source. */
export async function makeCalico(build: Build): Promise<Result<void, LabFailure>> {
  const { folder, out, mirror } = build;
  const go = await compileModules(build, [calicoModule]);
  if (!go.ok) return go;
  const found = await program([go.value.go, 'list', '-m', '-f', '{{.Dir}}', module], {
    cwd: join(sources, calicoModule.folder),
    env: go.value.env,
  });
  if (!found.ok) return programFailure('Finding the source of Calico', found.failure);
  const source = found.value.stdout.trim();
  const debs = await fetchDebs({
    folder: join(folder, 'apt-calico'),
    suite: 'bookworm',
    mirror,
    packages: ['runit', 'busybox-static'],
    alone: true,
  });
  if (!debs.ok) return debs;
  const made = await inOrder([
    running('Making the image of Calico', [
      ...['sh', join(filesFolder, 'calico/roots.sh'), join(folder, 'calico-node')],
      ...[join(folder, 'bin/calico-node'), source, nodePackagesOf(build, 'debian-12'), debs.value],
    ]),
  ]);
  if (!made.ok) return made;
  await mkdir(join(out, 'manifests'), { recursive: true });
  await copyFile(join(source, 'manifests/calico.yaml'), join(out, 'manifests/calico.yaml'));
  return ok(undefined);
}
