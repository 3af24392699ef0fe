import { createHash } from 'node:crypto';

/** How an image is made. Everything that changes its content is in here, because its name is the hash of this. */
export interface Recipe {
  readonly suite: 'bookworm' | 'trixie';
  /** In the image from the start. */
  readonly include: readonly string[];
  /** Downloaded with all they depend on, for `apt` without a network. */
  readonly offline: readonly string[];
  /** Text of customize.sh. */
  readonly customize: string;
}

export const recipe = (suite: Recipe['suite'], customize: string): Recipe => ({
  suite,
  include: suite === 'trixie' ? [...hostPackages, ...ansiblePackages] : hostPackages,
  offline: [...playbookPackages, ...ansiblePackages, ...(suite === 'trixie' ? meshPackages : [])],
  customize,
});

/** Twelve characters that differ whenever the words of mmdebstrap or the text of customize.sh do. */
export const recipeHash = (value: Recipe): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        debootstrapArgv(value, { tar: '', packages: '', script: '', mirror: '' }),
        value.customize,
      ]),
    )
    .digest('hex')
    .slice(0, 12);

/** The words that make the image's tar file at `tar` and its offline packages in the folder `packages`. */
export const debootstrapArgv = (
  value: Recipe,
  {
    tar,
    packages,
    script,
    mirror,
  }: { readonly tar: string; readonly packages: string; readonly script: string; readonly mirror: string },
): readonly string[] => [
  ...['mmdebstrap', '--mode=root', '--variant=minbase', '--skip=cleanup/apt/lists'],
  // A lab host is thrown away: what it writes need not survive a power cut of the machine.
  '--dpkgopt=force-unsafe-io',
  ...['doc', 'man', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
  `--include=${value.include.join(',')}`,
  `--customize-hook=sh ${script} "$1" ${packages} ${value.offline.join(' ')}`,
  ...[value.suite, tar, mirror],
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
