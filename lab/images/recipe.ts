import { createHash } from 'node:crypto';

/** How an image is made. Everything that changes its content is in here, because its name is the hash of this. */
export interface Recipe {
  readonly suite: Suite;
  /** In the image from the start. */
  readonly include: readonly string[];
  /** Downloaded with all they depend on, for `apt` without a network. */
  readonly offline: readonly string[];
  /** Text of customize.sh and of what it puts into the image. */
  readonly customize: string;
}

export type Suite = 'bookworm' | 'trixie';

/** `host` and `virtual`: a node or another host, as a container and as a virtual machine; `ansible`: an Ansible server. */
export type RecipeKind = 'host' | 'ansible' | 'virtual';

export const recipe = (suite: Suite, customize: string, kind: RecipeKind = 'host'): Recipe => ({
  suite,
  ...packagesOf(kind, suite),
  customize,
});

function packagesOf(kind: RecipeKind, suite: Suite): Pick<Recipe, 'include' | 'offline'> {
  const offline = [...playbookPackages, ...ansiblePackages, ...(suite === 'trixie' ? meshPackages : [])];
  const include = {
    host: hostPackages,
    ansible: [...hostPackages, ...ansiblePackages],
    virtual: [...hostPackages, ...virtualPackages],
  }[kind];
  return { include, offline: kind === 'virtual' ? [...playbookPackages, ...kernelPackages] : offline };
}

/** Twelve characters that differ whenever the words of mmdebstrap or the text of customize.sh do. */
export const recipeHash = (value: Recipe): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        debootstrapArgv(value, { target: '', packages: '', script: '', mirror: '' }),
        value.customize,
      ]),
    )
    .digest('hex')
    .slice(0, 12);

/** Where mmdebstrap works: it makes a tar file where the target ends so, else a folder. */
export interface BootstrapFiles {
  readonly target: string;
  /** A folder for the offline packages of containers. */
  readonly packages: string;
  readonly script: string;
  readonly mirror: string;
}

/** The words that make an image. */
export const debootstrapArgv = (
  value: Recipe,
  { target, packages, script, mirror }: BootstrapFiles,
): readonly string[] => [
  ...['mmdebstrap', '--mode=root', '--variant=minbase', '--skip=cleanup/apt/lists'],
  // A lab host is thrown away: what it writes need not survive a power cut of the machine.
  '--dpkgopt=force-unsafe-io',
  ...['doc', 'man', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
  `--include=${value.include.join(',')}`,
  `--customize-hook=sh ${script} "$1" ${packages} ${value.offline.join(' ')}`,
  ...[value.suite, target, mirror],
];

/** What an Ansible server has. */
export const ansiblePackages = ['ansible-core', 'python3-ansible-runner', 'sshpass', 'openssh-client'];

const hostPackages = [
  'systemd',
  'systemd-sysv',
  'dbus',
  'openssh-server',
  'python3',
  'python3-apt',
  'sudo',
  'iproute2',
  'ca-certificates',
  'iputils-ping',
  'procps',
  'kmod',
  'openssl',
  // Reads and writes NFS without the kernel, which in a container cannot.
  'libnfs-utils',
];

/** A machine of its own: its kernel, what finds its devices, and the agent by which its hypervisor reaches it. */
const virtualPackages = [
  ...['linux-image-cloud-amd64', 'initramfs-tools', 'udev', 'qemu-guest-agent', 'apparmor', 'e2fsprogs'],
  // For the faults of the lab, which are set inside where the kernel is the host's own.
  'nftables',
];

/** What only a host with a kernel of its own can use. */
const kernelPackages = ['nfs-kernel-server', 'ipvsadm', 'ipset'];

/** In Debian 13 only. */
const meshPackages = ['receptor'];

const playbookPackages = [
  'haproxy',
  'keepalived',
  'psmisc',
  'curl',
  'rsync',
  'acl',
  'python3-venv',
  'python3-pip',
  'nfs-ganesha',
  'nfs-ganesha-vfs',
  'nfs-common',
  'xfsprogs',
];
