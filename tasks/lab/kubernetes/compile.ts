import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Result } from '../../../generators/result.ts';
import type { LabFailure } from '../lab-failure.ts';
import { filesFolder } from '../place.ts';
import { linkerFlags, programs } from './recipe.ts';
import { inOrder, running, type Build } from './step.ts';

/** Builds the programs from the fetched source into `bin/` of the build's folder: the same bytes every time. */
export async function compile(build: Build, standIns: string): Promise<Result<void, LabFailure>> {
  const { folder, version, tell } = build;
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  const flags = ['-trimpath', '-v', '-ldflags', linkerFlags(version), '-o', `${bin}/`];
  const goBuild = [
    join(goRoot(folder), 'bin/go'),
    'build',
    ...flags,
    ...programs.map((name) => `./cmd/${name}`),
  ];
  tell("Making Debian's source of Kubernetes ready (about 40 seconds)");
  return inOrder([
    running('Making the source ready', [
      ...nice,
      'sh',
      join(filesFolder, 'kubernetes/source.sh'),
      folder,
      standIns,
    ]),
    () =>
      running('Building Kubernetes', [...nice, ...goBuild], {
        cwd: join(folder, 'gopath/src/k8s.io/kubernetes'),
        env: goEnvironment(folder),
        timeout: 7200,
        onLine: progress(version, tell),
      })(),
  ]);
}

/** Go names each package that it has compiled, and nothing while it links them. */
export function progress(version: string, tell: Build['tell']): (line: string) => void {
  let compiled = 0;
  tell(`Building Kubernetes ${version} from Debian's source (about 4 minutes on 2 cores)`);
  return () => {
    compiled += 1;
    const said = milestones.get(compiled);
    if (said !== undefined) tell(`Building Kubernetes: ${compiled} packages are compiled, ${said}`);
  };
}

/** Of the 2,400 packages that the programs consist of, some 200 are compiled before. */
const milestones: ReadonlyMap<number, string> = new Map([
  [550, 'about 3 minutes left'],
  [1100, 'about 2 minutes left'],
  [1650, 'about 90 seconds left'],
  [2150, 'linking is left, about a minute'],
]);

const nice = ['nice', '-n', '5'];
const goRoot = (folder: string): string => join(folder, 'go/usr/lib/go-1.19');

// The source is laid out for GOPATH; with modules it would ask the network.
const goEnvironment = (folder: string): Readonly<Record<string, string>> => ({
  GOROOT: goRoot(folder),
  GOPATH: join(folder, 'gopath'),
  GOCACHE: join(folder, 'cache'),
  GOTMPDIR: join(folder, 'tmp'),
  GO111MODULE: 'off',
  GOFLAGS: '',
  CGO_ENABLED: '0',
  HOME: folder,
});
