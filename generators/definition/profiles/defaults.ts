import { defaultVersion } from '../../catalog/kubernetes/minors.ts';
import {
  addressText,
  lastOf,
  networkOf,
  parseAddress,
  parseBlock,
  type Block,
} from '../../source/networks.ts';
import type { ProfileMachine, ProfileName, ProfileValues } from './values.ts';

/** What is given, and for the rest addresses that are reserved for documentation, or free in the given network. */
export function valuesFor(name: ProfileName, given: ProfileValues): ProfileDefaults {
  const own = profileDefaults[name];
  const endpoint = given.endpoint && { ...own.endpoint, ...given.endpoint };
  const network = given.machines ? undefined : parseBlock(given.endpoint?.address ?? '');
  const machines = network ? { machines: moveTo(own.machines, network) } : {};
  return { ...own, ...machines, ...given, ...(endpoint ? { endpoint } : {}) };
}

/** The same machines in another network: with the same last byte where that fits, else one after the other. */
function moveTo(machines: readonly ProfileMachine[], endpoint: Block): readonly ProfileMachine[] {
  const base = networkOf(endpoint).bits;
  const isRoomy = lastOf(endpoint) - base > 64n;
  const wanted = isRoomy ? machines.map(lastByteOf) : machines.map((_, index) => BigInt(index + 1));
  const free = [...wanted, 60n, BigInt(machines.length + 1)].filter(
    (offset) => base + offset !== endpoint.bits,
  );
  return machines.map((machine, index) => ({
    ...machine,
    address: addressText(base + (free[index] ?? 0n), endpoint.family),
  }));
}

const lastByteOf = ({ address }: ProfileMachine): bigint => (parseAddress(address)?.bits ?? 0n) & 0xffn;

/**
 * The version that everything is shown with, a containerd that is tested with it, as no distribution has one (checksums:
 * those of its project and of runc's, for amd64), and the plugin that needs nothing else.
 */
const kubernetes = {
  installer: { kubeadm: { version: defaultVersion } },
  containerd: {
    archive: {
      version: '2.3.7',
      sha256: 'ca26ef5138f17b847bbeeec36d4bf5e002b54d25858197a870c125d57f44d32f',
      runc: {
        version: '1.5.2',
        sha256: '028986516ab5646370edce981df2d8e8a8d12188deaf837142a02097000ae2f2',
      },
    },
  },
  network: { plugin: 'static-routes' },
} as const;

/** Values of addresses that are reserved for documentation (RFC 5737). */
const profileDefaults: Readonly<Record<ProfileName, ProfileDefaults>> = {
  lab: {
    ...requiredDefaults(),
    name: 'lab',
    endpoint: { address: '192.0.2.80/24' },
    machines: machines(3, 1),
  },
  'ha-stacked': {
    ...requiredDefaults(),
    ...kubernetes,
    name: 'ha-stacked',
    endpoint: { address: '192.0.2.80/24', port: 8443 },
    machines: machines(3, 2),
  },
  'ha-dedicated-lb': {
    ...requiredDefaults(),
    ...kubernetes,
    name: 'ha-dedicated-lb',
    endpoint: { address: '192.0.2.80/24', port: 6443 },
    machines: [...machines(3, 2), ...machinesOf('lb', { count: 2, first: 31 }, ['load-balancer'])],
  },
  single: {
    ...requiredDefaults(),
    ...kubernetes,
    name: 'single',
    network: { nodeSubnet: '192.0.2.0/24', ...kubernetes.network },
    machines: [{ name: 'node01', address: '192.0.2.11', roles: ['control-plane', 'worker'] }],
  },
};

type ProfileDefaults = ProfileValues &
  Required<Pick<ProfileValues, 'schema' | 'name' | 'ansibleServer' | 'ssh' | 'machines'>>;

function requiredDefaults(): Pick<ProfileDefaults, 'schema' | 'ansibleServer' | 'ssh'> {
  return {
    schema: 'node_modules/playsmith/schema/cluster.schema.json',
    ansibleServer: 'local',
    ssh: { user: 'ubuntu', privateKey: '~/.ssh/id_ed25519' },
  };
}

function machines(controlPlanes: number, workers: number): ProfileMachine[] {
  return [
    ...machinesOf('master', { count: controlPlanes, first: 11 }, ['control-plane']),
    ...machinesOf('worker', { count: workers, first: 21 }, ['worker']),
  ];
}

function machinesOf(
  name: string,
  { count, first }: MachineRow,
  roles: ProfileMachine['roles'],
): ProfileMachine[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${name}0${index + 1}`,
    address: `192.0.2.${first + index}`,
    roles,
  }));
}

interface MachineRow {
  readonly count: number;
  /** Last byte of the first address. */
  readonly first: number;
}
