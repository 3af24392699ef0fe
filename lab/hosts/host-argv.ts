import { cgroupParent } from '../machine/engine.ts';
import type { LabMachine } from '../machine/machine.ts';
import { runsKubelet, type LabHost } from '../state/shape.ts';

export interface HostPlace {
  readonly lab: string;
  readonly network: string;
  /** Image reference. */
  readonly image: string;
  /** Folder mounted at /lab while the first process starts. */
  readonly seed: string;
  /** Offline packages, mounted read-only at /srv/repo. */
  readonly packages: string;
  /** Loop devices that are the host's disks, first one first. */
  readonly disks: readonly string[];
  /** Folders of the machine that the host reads at a path of its own. */
  readonly shared: readonly SharedFolder[];
}

export interface SharedFolder {
  readonly folder: string;
  readonly at: string;
}

/** The separator is one that no name contains, so that the lab `a` never takes things of the lab `a-b`. */
export const containerName = (lab: string, host: string): string => `playsmith_${lab}_${host}`;
export const networkName = (lab: string): string => `playsmith_${lab}`;
export const labelOf = (lab: string): string => `playsmith.lab=${lab}`;

/** The words after `podman` that list a lab's containers, whatever their state; `format`: `json`, or a template of podman's. */
export const containersOf = (lab: string, format: string): readonly string[] => {
  const filter = `label=${labelOf(lab)}`;
  return ['ps', '--all', '--filter', filter, '--format', format];
};

/** The words after `podman` that start a host: never privileged, every right named. */
export const hostArgv = (host: LabHost, where: HostPlace, machine: LabMachine): readonly string[] => [
  ...['run', '--detach', '--name', containerName(where.lab, host.name), '--hostname', host.name],
  ...['--label', labelOf(where.lab), '--network', where.network, '--ip', host.address],
  // Fixed, as on a real machine: the others must find it again after it was off.
  `--mac-address=${macAddress(host.address)}`,
  // The host owns its /etc/hosts and resolver: files that podman mounts cannot be replaced by a playbook.
  ...['--no-hosts', '--dns=none'],
  ...['--systemd=always', '--stop-signal=SIGRTMIN+3', '--cgroupns=private', '--security-opt=unmask=all'],
  ...(machine.cgroupManager === 'cgroupfs' ? [`--cgroup-parent=${cgroupParent(where.lab)}`] : []),
  `--cap-add=${capabilities.join(',')}`,
  ...deviceRules(host, where.disks),
  ...[`--ulimit=nofile=${machine.openFiles}:${machine.openFiles}`],
  ...[`--ulimit=nproc=${machine.processes}:${machine.processes}`, '--pids-limit=-1'],
  ...['--volume', `${where.seed}:/lab:ro`, '--volume', `${where.packages}:/srv/repo:ro`],
  ...where.shared.flatMap(({ folder, at }) => ['--volume', `${folder}:${at}:ro`]),
  ...kubeletVolumes(host, where.lab),
  ...['--entrypoint=[]', where.image, '/bin/sh', '/lab/init.sh'],
];

/** Locally administered, and as unique on the bridge as the address. */
export const macAddress = (address: string): string =>
  ['02', '50', ...address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');

/** containerd needs a file system that is not an overlay, the kubelet one that passes mounts on to pods. */
const kubeletVolumes = (host: LabHost, lab: string): readonly string[] =>
  runsKubelet(host)
    ? ['containerd', 'kubelet:rshared', 'etcd'].flatMap((volume) => {
        const [name = '', ...options] = volume.split(':');
        const flags = [...options, 'dev', 'exec', 'suid'].join(',');
        return ['--volume', `${containerName(lab, host.name)}_${name}:/var/lib/${name}:${flags}`];
      })
    : [];

// A kubelet starts privileged pods, for which runc writes this very rule; a narrower one makes them fail.
const deviceRules = (host: LabHost, disks: readonly string[]): readonly string[] => [
  ...(runsKubelet(host) ? ['--device-cgroup-rule=a *:* rwm'] : []),
  ...disks.map((disk, index) => `--device=${disk}:/dev/vd${String.fromCharCode(98 + index)}:rwm`),
];

// Without SYSLOG, which would let a host read the kernel's messages, and SYS_RESOURCE, SYS_MODULE, SYS_TIME, SYS_RAWIO.
const capabilities = [
  'NET_ADMIN',
  'NET_RAW',
  'NET_BROADCAST',
  'SYS_ADMIN',
  'SYS_CHROOT',
  'SYS_PTRACE',
  'SYS_NICE',
  'AUDIT_WRITE',
  'AUDIT_CONTROL',
  'MKNOD',
  'DAC_READ_SEARCH',
  'IPC_LOCK',
  'LEASE',
  'LINUX_IMMUTABLE',
  'SYS_BOOT',
];
