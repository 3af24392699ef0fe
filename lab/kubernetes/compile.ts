import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ok, type Result } from '../../generators/result.ts';
import { packageRoot } from '../../tasks/runtime/package.ts';
import { program } from '../../tasks/runtime/program.ts';
import type { LabFailure } from '../machine/lab-failure.ts';
import { modulesOf, workloads, type ModuleBuild } from './modules.ts';
import { inOrder, running, type Build } from './step.ts';
import { toolchain, type Toolchain } from './toolchain.ts';

/** Builds every program from its published module into `bin/` of the build's folder: the same bytes every time. */
export async function compile(build: Build): Promise<Result<void, LabFailure>> {
  const go = await compileModules(build, modulesOf(build.release));
  return go.ok ? pause(build, go.value, join(sources, `kubernetes-${build.release.kubernetes}`)) : go;
}

/** Builds the lab's own programs alone. */
export async function compileOwn(build: Build): Promise<Result<unknown, LabFailure>> {
  return compileModules(build, [workloads]);
}

/** The folder of each module's go.mod and go.sum. */
export const sources = join(packageRoot, 'lab/kubernetes/sources');

/** Builds the programs of some modules, and gives the toolchain that did. */
export async function compileModules(
  build: Build,
  modules: readonly ModuleBuild[],
): Promise<Result<Toolchain, LabFailure>> {
  const go = await toolchain({ cache: build.goCache, mirror: build.mirror, tell: build.tell });
  if (!go.ok) return go;
  await mkdir(join(build.folder, 'bin'), { recursive: true });
  for (const [index, module] of modules.entries()) {
    build.tell(`Building ${module.title} from its Go modules (${index + 1} of ${modules.length})`);
    const [built] = await Promise.all([
      compileModule(build, module, { go: go.value, source: join(sources, module.folder) }),
      fetchModule(modules[index + 1], go.value),
    ]);
    if (!built.ok) return built;
  }
  return go;
}

/** Fetches what the next one is made of while another is compiled; what cannot be had, its build says. */
async function fetchModule(module: ModuleBuild | undefined, { go, env }: Toolchain): Promise<void> {
  if (module === undefined) return;
  const tags = module.tags === undefined ? [] : ['-tags', module.tags];
  await program([...nice, go, 'list', '-deps', ...tags, ...Object.keys(module.programs)], {
    cwd: join(sources, module.folder),
    env: { ...env, CGO_ENABLED: module.isC === true ? '1' : '0' },
    timeout: 3600,
  });
}

interface CompileGround {
  readonly go: Toolchain;
  /** The folder of the module's go.mod. */
  readonly source: string;
}

async function compileModule(
  { folder }: Build,
  module: ModuleBuild,
  { go, source }: CompileGround,
): Promise<Result<void, LabFailure>> {
  // One call for all that go to one folder shares what they have in common; each is then called by its package's name.
  const bin = join(folder, 'bin');
  for (const [out, packages] of byFolder(module)) {
    await mkdir(join(bin, out), { recursive: true });
    const built = await running(
      `Building ${module.title}`,
      [...nice, ...goBuild(module, { go: go.go, out: `${join(bin, out)}/` }), ...packages],
      {
        cwd: source,
        env: { ...go.env, CGO_ENABLED: module.isC === true ? '1' : '0' },
        timeout: 7200,
      },
    )();
    if (!built.ok) return built;
  }
  return renamePrograms(module, bin);
}

/** The words that build, without the packages. */
export const goBuild = (
  { tags, values, linker }: Pick<ModuleBuild, 'tags' | 'values' | 'linker'>,
  { go, out }: { readonly go: string; readonly out: string },
): readonly string[] => [
  ...[go, 'build', '-o', out],
  ...(tags === undefined ? [] : ['-tags', tags]),
  ...[
    '-ldflags',
    [
      ...['-s', '-w'],
      ...Object.entries(values).map(([name, value]) => `-X ${name}=${value}`),
      ...(linker === undefined ? [] : [linker]),
    ].join(' '),
  ],
];

function byFolder({ programs }: ModuleBuild): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, string[]>();
  for (const [name, path] of Object.entries(programs)) {
    const folder = dirname(path);
    folders.set(folder, [...(folders.get(folder) ?? []), name]);
  }
  return folders;
}

/** Go calls a program after the last word of its package that is no version: etcd's server is `server`. */
async function renamePrograms({ programs }: ModuleBuild, bin: string): Promise<Result<void, LabFailure>> {
  for (const [name, path] of Object.entries(programs)) {
    const made = join(bin, dirname(path), goName(name));
    if (made === join(bin, path)) continue;
    const moved = await running('Naming a program', ['mv', made, join(bin, path)])();
    if (!moved.ok) return moved;
  }
  return ok(undefined);
}

/** What `go build` calls the program of a package. */
export const goName = (name: string): string =>
  name
    .split('/')
    .filter((word) => !/^v\d+$/.test(word))
    .at(-1) ?? name;

/** The one program that is no Go: kubeadm starts it with `-v` in a Job of its own before it upgrades. */
async function pause(
  { folder, release }: Build,
  go: Toolchain,
  source: string,
): Promise<Result<void, LabFailure>> {
  const script = `module=$(${go.go} list -m -f '{{.Dir}}' k8s.io/kubernetes) && gcc -Os -Wall -static -DVERSION="$1" -o "$2" "$module/build/pause/linux/pause.c"`;
  return inOrder([
    running('Building pause', ['sh', '-c', script, 'sh', release.pause, join(folder, 'bin/pause')], {
      cwd: source,
      env: go.env,
    }),
  ]);
}

export const nice = ['nice', '-n', '5'];
