import type { LabArtifacts } from '../kubernetes/lab-artifacts.ts';
import type { LabMachine } from '../machine/machine.ts';
import type { Lab } from '../state/lab.ts';
import { isVirtual, vipOf, type LabRole } from '../state/shape.ts';
import { artifactsPath, knownHosts, operatorKey, passwordFile, type LabState } from '../state/state.ts';
import { cinderVolume } from './volumes.ts';

/** All that a definition, or a test, has to know of a lab. */
export interface LabDescription {
  readonly name: string;
  readonly subnet: string;
  /** Free for a virtual IP. */
  readonly vip: string;
  readonly hosts: readonly {
    readonly name: string;
    readonly address: string;
    readonly roles: readonly LabRole[];
    /** `ssh-ed25519 AAAA…` */
    readonly hostKey: string;
    /** A container when left out. */
    readonly kind?: 'virtual';
  }[];
  /** Ids as Cinder gives them of the storage host's volumes, first one first, where it is a virtual machine. */
  readonly cinderVolumes?: readonly string[];
  /** On every host, in the group sudo. */
  readonly user: string;
  /** On this machine: opens every host. */
  readonly keyPath: string;
  /** On the Ansible server: opens every other host. */
  readonly serverKeyPath: string;
  /** Of `user`, on every host the same. */
  readonly passwords: { readonly login: string; readonly become: string };
  /** A file of mode 0600 that holds the password, for a reference in a definition. */
  readonly passwordPath: string;
  /** An OpenSSH known_hosts with every host's address. */
  readonly knownHostsPath: string;
  /** What Kubernetes is installed from, by its path on the Ansible server; none in a lab without Kubernetes. */
  readonly artifacts?: Omit<LabArtifacts, 'folder'> & { readonly path: string };
  /** What the kernel of this machine, which the hosts share, has. */
  readonly cgroup: LabMachine['cgroup'];
}

export const describe = ({ engine: { place, machine }, state }: Lab): LabDescription => ({
  name: state.name,
  subnet: state.subnet,
  vip: vipOf(state.subnet),
  hosts: state.hosts.map(({ name, address, roles, hostKey, kind }) => ({
    ...{ name, address, roles, hostKey },
    ...(kind === undefined ? {} : { kind }),
  })),
  ...volumesOf(state),
  user: 'ops',
  keyPath: operatorKey(place, state.name),
  serverKeyPath: '/home/ops/.ssh/id_ed25519',
  passwords: { login: state.password, become: state.password },
  passwordPath: passwordFile(place, state.name),
  knownHostsPath: knownHosts(place, state.name),
  cgroup: machine.cgroup,
  ...artifactsOf(state),
});

function volumesOf({ name, shape, hosts }: LabState): Pick<LabDescription, 'cinderVolumes'> {
  return hosts.some((host) => host.roles.includes('storage') && isVirtual(host))
    ? { cinderVolumes: shape.volumes.map((_, index) => cinderVolume(name, index)) }
    : {};
}

function artifactsOf({ artifacts }: LabState): Pick<LabDescription, 'artifacts'> {
  if (artifacts === undefined) return {};
  const { sha256, version, containerd } = artifacts;
  return { artifacts: { path: artifactsPath, sha256, version, containerd } };
}
