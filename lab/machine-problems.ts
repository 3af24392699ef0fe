import { existsSync } from 'node:fs';
import { mkdir, readFile, statfs } from 'node:fs/promises';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { megabytesOf } from './hosts/virtual/machine.ts';
import { lacksArtifacts } from './kubernetes/artifacts.ts';
import { isRoot } from './machine/machine.ts';
import { isInstalled, missingPackages } from './machine/packages.ts';
import type { LabPlace } from './machine/place.ts';
import {
  hostsOf,
  isVirtual,
  shapeFault,
  suitesOf,
  versionOf,
  type LabHost,
  type LabShape,
} from './state/shape.ts';
import { readState } from './state/state.ts';

/** Something that stands in the way of a lab, and what to do about it. */
export interface LabProblem {
  readonly message: string;
  readonly next: string;
}

interface LabDesign {
  readonly name: string;
  readonly shape: LabShape;
  readonly where: LabPlace;
}

/** What this machine cannot give; the later ones are only looked for when the first ones are settled. */
export async function machineProblems(wanted: LabDesign): Promise<readonly LabProblem[]> {
  const first = [...systemProblems(wanted.shape), ...optionProblems(wanted)];
  if (first.length > 0) return first;
  return [
    ...(await folderProblems(wanted)),
    ...(await memoryProblems(wanted.shape)),
    ...(await kernelProblems(wanted)),
    ...(await shapeProblems(wanted)),
  ];
}

function systemProblems(shape: LabShape): readonly LabProblem[] {
  if (process.platform !== 'linux')
    return [problem('The lab needs Linux', 'Run it on a Linux machine or in a virtual one')];
  if (!isRoot()) return [problem('The lab needs root, to make networks and disks', 'Run it again with sudo')];
  const packages = missingPackages({ builds: false, virtual: machinesOf(shape).length > 0 });
  return packages.length > 0 && !isInstalled('apt-get')
    ? [
        problem(
          `Not installed: ${packages.join(', ')} (names of Debian packages)`,
          'Install them; without apt-get the lab cannot',
        ),
      ]
    : [];
}

function optionProblems({ name, shape }: LabDesign): readonly LabProblem[] {
  const fault = shapeFault(shape);
  const named = /^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/.test(name);
  return [
    ...(named
      ? []
      : [problem(`${name} cannot name a lab`, 'Use up to 20 of a-z, 0-9 and -, a letter first')]),
    ...(fault === '' ? [] : [problem(`Such a lab cannot be: ${fault}`, 'Ask for another number of hosts')]),
  ];
}

async function folderProblems({ shape, where }: LabDesign): Promise<readonly LabProblem[]> {
  const { folder } = where;
  const version = versionOf(shape);
  const building = version !== undefined && (await lacksArtifacts(version, where, shape.extras));
  const needed = gigabytes(shape) + (building ? 8 : 0);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize, type } = await statfs(folder);
  const free = (bavail * bsize) / 1e9;
  return [
    ...(free >= needed
      ? []
      : [
          problem(
            `${folder} has ${free.toFixed(1)} GB free, the lab needs ${needed}`,
            'Make room, or set PLAYSMITH_CACHE',
          ),
        ]),
    ...(type === overlayfs
      ? [
          problem(
            `${folder} is an overlay, on which podman cannot put its own`,
            'Set PLAYSMITH_CACHE to a folder on a disk',
          ),
        ]
      : []),
  ];
}

/** Disk: the images of hosts, and what each node of a cluster imports. */
const gigabytes = (shape: LabShape): number => {
  const { kubernetes, controlPlanes, workers } = shape;
  const machines = machinesOf(shape);
  const imported = kubernetes ? controlPlanes + Math.ceil(workers / 2) : 0;
  return 3 + imported + 2 * suitesOf(machines).length + machines.length;
};

const machinesOf = (shape: LabShape): readonly LabHost[] => hostsOf(shape, '10.77.0.0/24').filter(isVirtual);

/** Kubernetes takes 600 MB a control plane and 200 MB a worker; compilers and linkers of its build take 2.5 GB. */
async function memoryProblems(shape: LabShape): Promise<readonly LabProblem[]> {
  const { kubernetes, controlPlanes, workers } = shape;
  const machines = machinesOf(shape).reduce((sum, host) => sum + megabytesOf(host), 0);
  if (!kubernetes && machines === 0) return [];
  const needed = (kubernetes ? Math.max(2500, controlPlanes * 650 + workers * 250) : 0) + machines + 500;
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '');
  const available = Number(/^MemAvailable: +(\d+)/m.exec(text)?.[1] ?? Infinity) / 1024;
  return available >= needed
    ? []
    : [
        problem(
          `${Math.round(available)} MB of memory are available, such a lab needs ${needed}`,
          'End something else, or ask for fewer hosts',
        ),
      ];
}

async function kernelProblems({ shape }: LabDesign): Promise<readonly LabProblem[]> {
  const controllers = await readFile('/sys/fs/cgroup/cgroup.controllers', 'utf8').catch(() => undefined);
  const lacks = ['cpu', 'memory', 'pids'].filter((name) => controllers?.split(/\s/).includes(name) === false);
  return [
    ...(lacks.length > 0
      ? [
          problem(
            `cgroup v2 lacks ${lacks.join(', ')}`,
            'Delegate these controllers to this machine, or container',
          ),
        ]
      : []),
    ...(machinesOf(shape).length > 0 ? virtualProblems() : []),
    ...(shape.volumes.length > 0 && !existsSync('/dev/loop-control')
      ? [problem('There are no loop devices', 'Load the module loop, or ask for no volumes')]
      : []),
  ];
}

function virtualProblems(): readonly LabProblem[] {
  return [
    ...(process.arch === 'x64'
      ? []
      : [
          problem(
            `Virtual machines of the lab are of amd64, this machine is ${process.arch}`,
            'Use another one',
          ),
        ]),
    ...(existsSync('/dev/net/tun')
      ? []
      : [problem('There is no /dev/net/tun, to connect virtual machines', 'Load the module tun')]),
  ];
}

async function shapeProblems({ name, shape, where }: LabDesign): Promise<readonly LabProblem[]> {
  const state = await readState(where, name);
  return state && !isDeepStrictEqual(state.shape, shape)
    ? [
        problem(
          `The lab ${name} exists and has other hosts`,
          `Take it away first: npx task lab down --name ${name}`,
        ),
      ]
    : [];
}

const problem = (message: string, next: string): LabProblem => ({ message, next });
const overlayfs = 0x794c7630;
