import type { Lab } from './lab.ts';
import { vipOf, type LabRole } from './shape.ts';
import { artifactsPath, knownHosts, operatorKey, passwordFile, type LabState } from './state.ts';

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
  }[];
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
  readonly artifacts?: { readonly path: string; readonly sha256: string; readonly version: string };
}

export const describe = ({ engine: { place }, state }: Lab): LabDescription => ({
  name: state.name,
  subnet: state.subnet,
  vip: vipOf(state.subnet),
  hosts: state.hosts.map(({ name, address, roles, hostKey }) => ({ name, address, roles, hostKey })),
  user: 'ops',
  keyPath: operatorKey(place, state.name),
  serverKeyPath: '/home/ops/.ssh/id_ed25519',
  passwords: { login: state.password, become: state.password },
  passwordPath: passwordFile(place, state.name),
  knownHostsPath: knownHosts(place, state.name),
  ...artifactsOf(state),
});

const artifactsOf = ({ artifacts }: LabState): Pick<LabDescription, 'artifacts'> =>
  artifacts === undefined
    ? {}
    : { artifacts: { path: artifactsPath, sha256: artifacts.sha256, version: artifacts.version } };
