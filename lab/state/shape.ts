import type { ImageName } from '../images/images.ts';
import type { Suite } from '../images/recipe.ts';
import { labVersion, type Extra } from '../kubernetes/releases.ts';
import { hostAddress } from './subnet.ts';

export type LabRole =
  | 'control-plane'
  | 'worker'
  | 'load-balancer'
  | 'storage'
  | 'edge'
  | 'ansible'
  | 'mesh'
  | 'client';

/** What the Ansible server is: a Debian with its own ansible-core (2.14 or 2.19), or `bare`, Debian 12 without Ansible. */
export type AnsibleServerImage = 'bookworm' | 'trixie' | 'bare';

/** How many hosts of which kind a lab has. */
export interface LabShape {
  readonly ansibleServer: AnsibleServerImage;
  readonly controlPlanes: number;
  readonly loadBalancers: number;
  readonly workers: number;
  /** Hosts of Debian 13, which has Receptor, with Ansible: for nodes of a mesh. */
  readonly mesh?: number;
  /** Machines for clusters of one machine each, of which a fleet has many; nothing stands in for their API. */
  readonly edges?: number;
  /** Volumes of the host `storage1`, as disks `/dev/vdb`, `/dev/vdc`, …; none: no such host. */
  readonly volumes: readonly { readonly megabytes: number }[];
  readonly client: boolean;
  /** A TLS server on port 6443 of each control plane that answers `/readyz` as a healthy API server does; never beside Kubernetes. */
  readonly standInApi: boolean;
  /** Kubernetes can be installed: the Ansible server has the artifacts. */
  readonly kubernetes: boolean;
  /** One of the lab's releases, like `1.36.3`; the newest when left out. */
  readonly kubernetesVersion?: string;
  /** What the artifacts hold besides. */
  readonly extras?: readonly Extra[];
  /** Hosts that are virtual machines with a kernel of their own, by name, or `all`; the others are containers. */
  readonly virtual?: readonly string[];
  /** Hosts of Debian 13, by name, or `all`; the others are of Debian 12. */
  readonly debian13?: readonly string[];
}

export interface LabHost {
  readonly name: string;
  readonly address: string;
  readonly roles: readonly LabRole[];
  readonly image: ImageName;
  /** A container when left out. */
  readonly kind?: 'virtual';
}

export const isVirtual = ({ kind }: Pick<LabHost, 'kind'>): boolean => kind === 'virtual';

/** What the containers among some hosts start from. */
export const imagesOf = (hosts: readonly LabHost[]): readonly ImageName[] => [
  ...new Set(hosts.filter((host) => !isVirtual(host)).map(({ image }) => image)),
];

/** The Debians of the virtual machines among some hosts. */
export const suitesOf = (hosts: readonly LabHost[]): readonly Suite[] => [
  ...new Set(hosts.filter(isVirtual).map(suiteOf)),
];

export const suiteOf = ({ image }: LabHost): Suite => (image === 'host-trixie' ? 'trixie' : 'bookworm');

export const runsKubelet = ({ roles }: Pick<LabHost, 'roles'>): boolean =>
  roles.includes('control-plane') || roles.includes('worker');

export const defaultShape: LabShape = {
  ansibleServer: 'bookworm',
  controlPlanes: 3,
  loadBalancers: 0,
  workers: 0,
  volumes: [],
  client: true,
  standInApi: true,
  kubernetes: false,
};

/** What `--kubernetes` and the demonstration ask for: enough to lose a control plane and still run a workload twice. */
export const kubernetesShape: LabShape = {
  ...defaultShape,
  workers: 2,
  standInApi: false,
  kubernetes: true,
};

/** The hosts of a lab, each with a fixed address of its subnet. */
export const hostsOf = (shape: LabShape, subnet: string): readonly LabHost[] =>
  containersOf(shape, subnet).map((host) => ({
    ...host,
    ...(isMeant(shape.debian13, host) ? { image: 'host-trixie' as const } : {}),
    ...(isMeant(shape.virtual, host) ? { kind: 'virtual' as const } : {}),
  }));

/** Those that stand where a cluster's machines do; the lab needs the others as they are. */
const canBeOther = ({ roles }: LabHost): boolean =>
  !(['ansible', 'client', 'mesh'] as const).some((role) => roles.includes(role));

const isMeant = (names: readonly string[] = [], host: LabHost): boolean =>
  canBeOther(host) && (names.includes('all') || names.includes(host.name));

function containersOf(shape: LabShape, subnet: string): readonly LabHost[] {
  const numbered = (prefix: string, role: LabRole, count: number, from: number): readonly LabHost[] =>
    Array.from({ length: count }, (_, index) => ({
      name: `${prefix}${index + 1}`,
      address: hostAddress(subnet, from + index),
      roles: [role],
      image: 'host',
    }));
  const image = shape.ansibleServer === 'bare' ? 'host' : (`ansible-${shape.ansibleServer}` as const);
  return [
    { name: 'ansible', address: hostAddress(subnet, 10), roles: ['ansible'], image },
    ...numbered('cp', 'control-plane', shape.controlPlanes, 11),
    ...numbered('lb', 'load-balancer', shape.loadBalancers, 2),
    ...numbered('worker', 'worker', shape.workers, 21),
    ...numbered('mesh', 'mesh', shape.mesh ?? 0, 81).map((host) => ({
      ...host,
      image: 'ansible-trixie' as const,
    })),
    ...numbered('edge', 'edge', shape.edges ?? 0, 101),
    ...numbered('storage', 'storage', shape.volumes.length > 0 ? 1 : 0, 90),
    ...(shape.client
      ? [{ name: 'client', address: hostAddress(subnet, 99), roles: ['client'], image: 'host' } as const]
      : []),
  ];
}

/** The Kubernetes whose artifacts a lab has, or undefined: none. */
export const versionOf = ({ kubernetes, kubernetesVersion = labVersion }: LabShape): string | undefined =>
  kubernetes ? kubernetesVersion : undefined;

/** The address that the hosts of a lab leave free for their virtual IP. */
export const vipOf = (subnet: string): string => hostAddress(subnet, 100);

/** Why a shape cannot be built, or empty. */
export function shapeFault(shape: LabShape): string {
  const { controlPlanes, loadBalancers, workers, volumes, mesh = 0, edges = 0 } = shape;
  const within = (count: number, most: number): boolean =>
    Number.isInteger(count) && count >= 0 && count <= most;
  if (!within(controlPlanes, 9)) return 'a lab has 0 to 9 control planes';
  if (!within(loadBalancers, 8)) return 'a lab has 0 to 8 load balancers';
  if (!within(workers, 60)) return 'a lab has 0 to 60 workers';
  if (!within(mesh, 9)) return 'a lab has 0 to 9 nodes of a mesh';
  if (!within(edges, 120)) return 'a lab has 0 to 120 machines for clusters of one machine';
  if (!within(volumes.length, 8)) return 'a lab has 0 to 8 volumes';
  if (volumes.some(({ megabytes }) => !within(megabytes, 1_000_000) || megabytes < 16))
    return 'a volume has 16 MB to 1 TB';
  return nameFault(shape);
}

function nameFault(shape: LabShape): string {
  const names = containersOf(shape, '10.77.0.0/24')
    .filter(canBeOther)
    .map(({ name }) => name);
  const unknown = [...(shape.virtual ?? []), ...(shape.debian13 ?? [])].find(
    (name) => name !== 'all' && !names.includes(name),
  );
  return unknown === undefined
    ? ''
    : `${unknown} cannot be a virtual machine or of Debian 13; of these hosts each can: ${names.join(', ')}`;
}
