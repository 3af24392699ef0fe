import { engine } from './machine/engine.ts';
import { missingImages } from './images/images.ts';
import { lacksArtifacts } from './kubernetes/artifacts.ts';
import { machineProblems, type LabProblem } from './machine-problems.ts';
import { bridgeOf, takenNetworks } from './hosts/network.ts';
import { isInstalled, missingPackages } from './machine/packages.ts';
import { place, type LabPlace } from './machine/place.ts';
import type { Suite } from './images/recipe.ts';
import {
  defaultShape,
  hostsOf,
  imagesOf,
  isVirtual,
  suitesOf,
  versionOf,
  type LabHost,
  type LabShape,
} from './state/shape.ts';
import { labNames, readState } from './state/state.ts';
import { chooseSubnet, isFree, isLabSubnet } from './state/subnet.ts';
import { readSysctl, sysctlNeeds } from './machine/sysctls.ts';
import { missingDisks } from './hosts/virtual/disk-image.ts';

/** What an `up` would change on this machine, to be announced before it does. */
export type MachineChange =
  | { readonly kind: 'packages'; readonly packages: readonly string[] }
  | { readonly kind: 'sysctl'; readonly key: string; readonly from: number; readonly to: number }
  | { readonly kind: 'images'; readonly images: readonly LabHost['image'][]; readonly folder: string }
  | { readonly kind: 'disks'; readonly suites: readonly Suite[]; readonly folder: string }
  | { readonly kind: 'kubernetes'; readonly version: string; readonly folder: string }
  | { readonly kind: 'network'; readonly subnet: string }
  | { readonly kind: 'hosts'; readonly hosts: readonly string[] };

export interface Preflight {
  /** Each stands in the way of an `up`. */
  readonly problems: readonly LabProblem[];
  readonly changes: readonly MachineChange[];
}

export interface LabOptions {
  /** A DNS label of at most 20 characters. */
  readonly name: string;
  readonly shape: LabShape;
  /** A private /24; the first free one of 10.77.0.0/16 when left out. */
  readonly subnet?: string;
}

/** What the lab lacks here, and what it would change. Changes nothing itself. */
export async function preflight(
  options: Partial<LabOptions> = {},
  where: LabPlace = place(),
): Promise<Preflight> {
  const { name = 'lab', shape = defaultShape } = options;
  const problems = await machineProblems({ name, shape, where });
  if (problems.length > 0) return { problems, changes: [] };
  const state = await readState(where, name);
  const subnet = state?.subnet ?? (await freeSubnet(where, { name, subnet: options.subnet }));
  if (subnet === undefined) return { problems: [subnetProblem(options.subnet)], changes: [] };
  const hosts = hostsOf(shape, subnet);
  const builds = await kubernetesChanges(where, shape);
  const packages = missingPackages({ builds: builds.length > 0, virtual: hosts.some(isVirtual) });
  const network: readonly MachineChange[] = state
    ? []
    : [
        { kind: 'network', subnet },
        { kind: 'hosts', hosts: hosts.map(spoken) },
      ];
  return {
    problems: [],
    changes: [
      ...(packages.length > 0 ? [{ kind: 'packages', packages } as const] : []),
      ...(await sysctlChanges()),
      ...(await imageChanges(where, hosts)),
      ...(await diskChanges(where, hosts)),
      ...builds,
      ...network,
    ],
  };
}

/** A change in words. */
export function announce(change: MachineChange): string {
  switch (change.kind) {
    case 'packages':
      return `install with apt-get: ${change.packages.join(' ')}`;
    case 'sysctl':
      return `raise ${change.key} from ${change.from} to ${change.to} until the last lab is gone`;
    case 'images':
      return `build images (${change.images.join(', ')}) under ${change.folder}, about 2 GB`;
    case 'disks':
      return `build disks of virtual machines (Debian ${change.suites.join(' and ')}) under ${change.folder}, 1 GB each`;
    case 'kubernetes':
      return `bring Kubernetes ${change.version} and all that belongs to it to ${change.folder}, 1 GB: its publishers' releases where this machine reaches them, else built from Go modules, with 6 GB beside it of what Go keeps, which may be deleted afterwards`;
    case 'network':
      return `add a bridge with ${change.subnet}, without a way out of this machine`;
    case 'hosts':
      return `start the hosts ${change.hosts.join(', ')}`;
  }
}

const spoken = (host: LabHost): string => (isVirtual(host) ? `${host.name} (virtual machine)` : host.name);

/** The wanted subnet if nothing but a lab of that name uses it, else the first free one; undefined: none. */
export async function freeSubnet(
  where: LabPlace,
  { name, subnet }: { readonly name: string; readonly subnet: string | undefined },
): Promise<string | undefined> {
  const states = await Promise.all((await labNames(where)).map((each) => readState(where, each)));
  const bridge = isInstalled('podman') ? await bridgeOf(await engine(where), name) : undefined;
  const networks = await takenNetworks(bridge);
  const taken = [...networks, ...states.flatMap((state) => (state ? [state.subnet] : []))];
  if (subnet === undefined) return chooseSubnet(taken);
  return isLabSubnet(subnet) && isFree(subnet, taken) ? subnet : undefined;
}

export const subnetProblem = (wanted?: string): LabProblem => ({
  message: wanted === undefined ? 'No /24 of 10.77.0.0/16 is free' : `The subnet ${wanted} cannot be used`,
  next: 'Give a private /24 that this machine has no route to, like --subnet 10.99.0.0/24',
});

async function sysctlChanges(): Promise<readonly MachineChange[]> {
  const now = await Promise.all(
    sysctlNeeds.map(async (need) => ({ ...need, from: await readSysctl(need.key) })),
  );
  return now
    .filter(({ from, atLeast }) => from < atLeast)
    .map(({ key, from, atLeast }) => ({ kind: 'sysctl', key, from, to: atLeast }));
}

async function kubernetesChanges(where: LabPlace, shape: LabShape): Promise<readonly MachineChange[]> {
  const version = versionOf(shape);
  return version !== undefined && (await lacksArtifacts(version, where, shape.extras))
    ? [{ kind: 'kubernetes', version, folder: where.kubernetes }]
    : [];
}

async function imageChanges(where: LabPlace, hosts: readonly LabHost[]): Promise<readonly MachineChange[]> {
  const wanted = imagesOf(hosts);
  const missing = isInstalled('podman') ? await missingImages(await engine(where), wanted) : wanted;
  return missing.length > 0 ? [{ kind: 'images', images: missing, folder: where.folder }] : [];
}

async function diskChanges(where: LabPlace, hosts: readonly LabHost[]): Promise<readonly MachineChange[]> {
  const suites = await missingDisks(where, suitesOf(hosts));
  return suites.length > 0 ? [{ kind: 'disks', suites, folder: where.virtual }] : [];
}
