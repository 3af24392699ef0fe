import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../generators/result.ts';
import { program } from '../../tasks/runtime/program.ts';
import { programFailure, type LabFailure } from '../machine/lab-failure.ts';
import { filesFolder } from '../machine/place.ts';
import { goBuild, nice, sources } from './compile.ts';
import { fetchDebs } from './debian.ts';
import { dockerArchive, tarArgv } from './docker-archive.ts';
import { plainImages } from './images.ts';
import { kubernetesValues } from './modules.ts';
import type { ImageRecipe } from './recipe.ts';
import type { LabRelease } from './releases.ts';
import { inOrder, running, type Build } from './step.ts';
import { toolchain, type Toolchain } from './toolchain.ts';

/** The folder of the go.mod that pins the tests of a release. */
export const testsFolder = ({ kubernetes }: LabRelease): string => `conformance-${kubernetes}`;

/** What the tests' images take from Debian 12 in place of Alpine. */
export const testPackages = [
  ...['bash', 'bash-static', 'dash', 'coreutils', 'grep', 'sed', 'busybox-static', 'curl', 'bind9-dnsutils'],
  ...['netcat-openbsd', 'iproute2', 'iperf', 'util-linux', 'socat', 'libc-bin'],
];

/** The images that conformance tests ask for and that can be made here. */
export const testImages: readonly ImageRecipe[] = [
  // Where a test asks for two versions it gets the same program by two names.
  ...['2.66.1', '2.55'].map((version): ImageRecipe => ({
    reference: `registry.k8s.io/e2e-test-images/agnhost:${version}`,
    set: 'conformance',
    entrypoint: ['/agnhost'],
    command: ['pause'],
    files: {},
    base: 'tests/agnhost',
  })),
  // Theirs is Debian with dig, too.
  {
    reference: 'registry.k8s.io/e2e-test-images/glibc-dns-testing:2.1.1',
    set: 'conformance',
    entrypoint: [],
    command: ['sh'],
    files: {},
    base: 'tests/agnhost',
  },
  ...['1.37.0-2', '1.36.1-1'].map((version): ImageRecipe => ({
    reference: `registry.k8s.io/e2e-test-images/busybox:${version}`,
    set: 'conformance',
    entrypoint: [],
    command: ['sh'],
    files: {},
    base: 'tests/busybox',
  })),
];

/** Builds Kubernetes' own tests and packs them as its project publishes them: `archives/kubernetes-test.tar.gz`, and their images. */
export async function packConformance(build: Build): Promise<Result<void, LabFailure>> {
  const { folder, out, tell } = build;
  const go = await toolchain({ cache: build.goCache, mirror: build.mirror, tell });
  if (!go.ok) return go;
  tell("Building Kubernetes' conformance tests from its Go modules (5 to 10 minutes the first time)");
  const built = await compileTests(build, go.value);
  if (!built.ok) return built;
  const roots = await makeRoots(build, go.value);
  if (!roots.ok) return roots;
  const images = await plainImages(folder, 'conformance', testImages);
  if (!images.ok) return images;
  await writeFile(
    join(out, 'images/conformance.list'),
    testImages.map(({ reference }) => `${reference}\n`).join(''),
  );
  return dockerArchive(images.value, {
    scratch: join(folder, 'archive-conformance'),
    out: join(out, 'images/conformance.tar'),
  });
}

async function compileTests(
  { folder, out, release }: Build,
  { go, env }: Toolchain,
): Promise<Result<void, LabFailure>> {
  const bin = join(folder, 'published/kubernetes/test/bin');
  await mkdir(bin, { recursive: true });
  const values = kubernetesValues(release);
  const words = goBuild({ values }, { go, out: join(bin, 'e2e.test') }).slice(2);
  const at = { cwd: join(sources, testsFolder(release)), env: { ...env, CGO_ENABLED: '0' }, timeout: 7200 };
  const archive = [
    ...tarArgv(join(out, 'archives/kubernetes-test.tar.gz')),
    '--use-compress-program=gzip -n -1',
  ];
  return inOrder([
    running(
      'Building agnhost',
      [...nice, ...goBuild({ values }, { go, out: join(folder, 'bin/agnhost') }), `${module}/images/agnhost`],
      at,
    ),
    running(
      'Building ginkgo',
      [
        ...nice,
        ...goBuild({ values: {} }, { go, out: join(bin, 'ginkgo') }),
        'github.com/onsi/ginkgo/v2/ginkgo',
      ],
      at,
    ),
    // Vetting what others have published would take as long as compiling it.
    running(
      'Building the conformance tests',
      [...nice, go, 'test', '-c', '-vet=off', ...words, `${module}/e2e`],
      at,
    ),
    running('Packing the conformance tests', [...archive, '-C', join(folder, 'published'), 'kubernetes']),
  ]);
}

const module = 'k8s.io/kubernetes/test';

async function makeRoots(
  { folder, mirror, release }: Build,
  { go, env }: Toolchain,
): Promise<Result<void, LabFailure>> {
  const debs = await fetchDebs({
    folder: join(folder, 'apt-tests'),
    suite: 'bookworm',
    mirror,
    packages: testPackages,
  });
  if (!debs.ok) return debs;
  const source = await program([go, 'list', '-m', '-f', '{{.Dir}}', 'k8s.io/kubernetes'], {
    cwd: join(sources, testsFolder(release)),
    env,
  });
  if (!source.ok) return programFailure('Finding the source of agnhost', source.failure);
  const made = await running('Making the images of the tests', [
    ...['bash', join(filesFolder, 'conformance/test-roots.sh'), join(folder, 'tests'), debs.value],
    ...[join(folder, 'bin/agnhost'), join(source.value.stdout.trim(), 'test/images/agnhost')],
  ])();
  return made.ok ? ok(undefined) : made;
}
