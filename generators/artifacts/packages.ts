import type { Cluster } from '../cluster/cluster.ts';
import { kinds, toolsOf } from '../cluster/storage-kinds.ts';

/** A system whose packages can be brought along, and the apt sources that have them. */
export interface NodeSystem {
  readonly name: SystemName;
  readonly suite: string;
  readonly components: string;
  /** Archives, and what is added to the name of the suite there. */
  readonly archives: readonly { readonly address: string; readonly pocket: string }[];
  /** The keys that sign them, and the package of Debian that has these. */
  readonly keyring: string;
  readonly keyringPackage: string;
}

export const systemNames = ['debian-12', 'debian-13', 'ubuntu-22.04', 'ubuntu-24.04'] as const;
export type SystemName = (typeof systemNames)[number];

const debian = (name: SystemName, suite: string): NodeSystem => ({
  name,
  suite,
  components: 'main',
  archives: [
    { address: 'http://deb.debian.org/debian', pocket: '' },
    { address: 'http://deb.debian.org/debian', pocket: '-updates' },
    { address: 'http://deb.debian.org/debian-security', pocket: '-security' },
  ],
  keyring: '/usr/share/keyrings/debian-archive-keyring.gpg',
  keyringPackage: 'debian-archive-keyring',
});

const ubuntu = (name: SystemName, suite: string): NodeSystem => ({
  name,
  suite,
  components: 'main universe',
  archives: ['', '-updates', '-security'].map((pocket) => ({
    address: 'http://archive.ubuntu.com/ubuntu',
    pocket,
  })),
  keyring: '/usr/share/keyrings/ubuntu-archive-keyring.gpg',
  keyringPackage: 'ubuntu-keyring',
});

export const systems: Readonly<Record<SystemName, NodeSystem>> = {
  'debian-12': debian('debian-12', 'bookworm'),
  'debian-13': debian('debian-13', 'trixie'),
  'ubuntu-22.04': ubuntu('ubuntu-22.04', 'jammy'),
  'ubuntu-24.04': ubuntu('ubuntu-24.04', 'noble'),
};

/** The packages that the phases install; apt adds what these depend on. */
export const packagesOf = ({
  containerd,
  endpoint,
  externalLoadBalancer,
  storage,
  kubernetes: { backup },
}: Cluster): readonly string[] =>
  [
    ...(backup.encryptTo ? ['age'] : []),
    ...['conntrack', 'ebtables', 'ethtool', 'iptables', 'socat'],
    ...(containerd.source === 'distribution' ? ['containerd', 'runc'] : []),
    ...(endpoint.balancers.length + externalLoadBalancer.balancers.length > 0
      ? ['haproxy', 'keepalived']
      : []),
    ...(storage.servers.length > 0 ? ['nfs-common'] : []),
    ...new Set(storage.servers.flatMap((server) => [...kinds[server.server].packages, ...toolsOf(server)])),
  ].sort();
